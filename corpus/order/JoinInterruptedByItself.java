// A thread that has interrupted itself does not wait in join.
package order;

public class JoinInterruptedByItself {
    private static int rows;

    public static void main(String[] args) {
        Thread worker = new Thread(() -> {
            rows = 3; //~ RACE: not waited for
        });
        worker.start();
        Thread.currentThread().interrupt();
        try {
            worker.join();
        } catch (InterruptedException stop) {
            System.out.println("stopped");
        }
        System.out.println(rows); //~ RACE: the join was interrupted
    }
}
