// Who catches the InterruptedException comes after the interrupt, and what was done before it.
package order;

public class InterruptCaught {
    private static String reason = "none";

    public static void main(String[] args) throws Exception {
        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException e) {
                System.out.println(reason); //~ NORACE: the interrupt was noticed
            }
        });
        sleeper.start();
        reason = "closing time"; //~ NORACE: before the interrupt
        sleeper.interrupt();
        sleeper.join();
    }
}
