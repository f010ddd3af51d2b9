// A thread joins a worker; its group is interrupted, and it reads what the worker still writes.
package order;

public class JoinInterruptedByGroup {
    private static int rows;

    public static void main(String[] args) {
        ThreadGroup group = new ThreadGroup("reports");
        new Thread(group, () -> {
            Thread worker = new Thread(() -> {
                rows = 3; //~ RACE: may not have been waited for
            });
            worker.start();
            try {
                worker.join();
            } catch (InterruptedException stop) {
                System.out.println("stopped");
            }
            System.out.println(rows); //~ RACE: the join may have been interrupted
        }).start();
        group.interrupt();
    }
}
