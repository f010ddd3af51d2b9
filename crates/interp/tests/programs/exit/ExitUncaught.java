/** An exception that leaves main: status 1, other threads finish first. */
public class ExitUncaught {
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            for (int i = 0; i < 3; i++) System.out.println("other " + i);
        });
        t.start();
        t.join();
        try {
            throw new Exception("leaves main");
        } finally {
            System.out.println("finally");
        }
    }
}
