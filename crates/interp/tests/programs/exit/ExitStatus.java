/** System.exit ends the program at once, with its status, whatever else runs; finally blocks do not run. */
public class ExitStatus {
    public static void main(String[] args) {
        Thread t = new Thread(() -> {
            while (true) Thread.yield();
        });
        t.start();
        try {
            System.out.println("before");
            System.exit(3);
        } finally {
            System.out.println("never printed");
        }
    }
}
