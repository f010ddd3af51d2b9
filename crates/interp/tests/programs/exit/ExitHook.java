/** Shutdown hooks run after the last ordinary thread ends. */
public class ExitHook {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        new Thread(() -> System.out.println("worker")).start();
        Thread.yield();
    }
}
