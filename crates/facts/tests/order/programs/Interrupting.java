/** A join that somebody interrupts has not joined; here somebody does. */
public class Interrupting {
    static int racyJoined;

    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        Thread worker = new Thread(() -> {
            racyJoined++;
        });
        worker.start();
        Thread nuisance = new Thread(() -> main.interrupt());
        nuisance.start();
        try {
            worker.join();
        } catch (InterruptedException e) {
            System.out.println("too early");
        }
        racyJoined++;
    }
}
