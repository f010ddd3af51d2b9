// Interrupting a thread orders what was done before with what the thread does after it noticed.
package order;

public class InterruptAsSignal {
    private static String order = "none";

    public static void main(String[] args) throws Exception {
        Thread waiter = new Thread(() -> {
            while (!Thread.interrupted()) {
                Thread.onSpinWait();
            }
            System.out.println(order); //~ NORACE: the interrupt was seen
        });
        waiter.start();
        order = "coffee"; //~ NORACE: before the interrupt
        waiter.interrupt();
        waiter.join();
    }
}
