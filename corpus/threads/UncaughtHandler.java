// The handler runs in the dying thread: a plain failure counter is written by two of them at once.
package threads;

public class UncaughtHandler {
    private static int failures;
    private static String lastMessage = "";

    public static void main(String[] args) throws Exception {
        Thread.UncaughtExceptionHandler handler = (thread, error) -> {
            failures++; //~ RACE
            lastMessage = error.getMessage(); //~ RACE
        };
        Thread a = new Thread(() -> {
            throw new IllegalStateException("a");
        });
        Thread b = new Thread(() -> {
            throw new IllegalStateException("b");
        });
        a.setUncaughtExceptionHandler(handler);
        b.setUncaughtExceptionHandler(handler);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(failures <= 2 && !lastMessage.isEmpty()); //~ NORACE: after both joins
    }
}
