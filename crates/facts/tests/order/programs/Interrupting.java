/** A join that somebody interrupts has not joined; usually nobody does. */
public class Interrupting {
    static int likelyJoined;

    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        Thread worker = new Thread(() -> {
            likelyJoined++;
        });
        worker.start();
        Thread nuisance = new Thread(() -> main.interrupt());
        nuisance.start();
        try {
            worker.join();
        } catch (InterruptedException e) {
            System.out.println("too early");
        }
        likelyJoined++;
    }
}
