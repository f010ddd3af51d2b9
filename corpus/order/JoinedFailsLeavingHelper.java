// The worker always fails, and leaves a helper running: its end is not the helper's.
package order;

public class JoinedFailsLeavingHelper {
    private static int data;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            new Thread(() -> {
                data = 1; //~ RACE
            }).start();
            throw new IllegalStateException("as always");
        });
        worker.start();
        worker.join();
        System.out.println(data); //~ RACE: the helper may still run
    }
}
