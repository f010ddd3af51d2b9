// Interrupting a thread orders what was done before with what the thread does after it noticed.
package order;

public class InterruptAsSignal {
    private static String order = "none";

    public static void main(String[] args) throws Exception {
        Thread waiter = new Thread(() -> {
            while (!Thread.interrupted()) {
                Thread.onSpinWait();
            }
            System.out.println(order); //~ RACE spurious: the interrupt was seen; an interrupt is not followed as a
        });
        waiter.start();
        order = "coffee"; //~ RACE spurious: before the interrupt; an interrupt is not followed as a signal
        waiter.interrupt();
        waiter.join();
    }
}
