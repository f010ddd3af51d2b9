/** An exception that leaves another thread does not change the status. */
public class ExitThreadDies {
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            throw new IllegalStateException("only this thread dies");
        });
        t.start();
        t.join();
        System.out.println("main lives, other " + t.isAlive());
    }
}
