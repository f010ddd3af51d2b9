// One thread has a handler and is joined: the handler runs before the thread ends, so main sees its write.
package threads;

public class UncaughtHandlerSafe {
    private static String lastMessage = "none";

    public static void main(String[] args) throws Exception {
        Thread worker = new Thread(() -> {
            throw new IllegalStateException("boom");
        });
        worker.setUncaughtExceptionHandler((thread, error) -> {
            lastMessage = error.getMessage(); //~ NORACE: in the worker, before it ends
        });
        worker.start();
        worker.join();
        System.out.println(lastMessage); //~ NORACE: after the join
    }
}
