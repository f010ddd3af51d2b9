// The reason is set after the interrupt, and may come too late.
package order;

public class InterruptTooEarly {
    private static String reason = "none";

    public static void main(String[] args) throws Exception {
        Thread waiter = new Thread(() -> {
            while (!Thread.interrupted()) {
                Thread.onSpinWait();
            }
            System.out.println(reason); //~ RACE
        });
        waiter.start();
        waiter.interrupt();
        reason = "closing time"; //~ RACE
        waiter.join();
    }
}
