/** A thread that starts another: joined by it, or left running when it has ended. */
public class Nested {
    static int safeInner, likelyInner, racyInner;

    public static void main(String[] args) throws Exception {
        Thread tidy = new Thread(() -> {
            Thread inner = new Thread(() -> likelyInner++);
            inner.start();
            System.out.println("may throw");
            try {
                inner.join();
            } catch (InterruptedException e) {
                System.out.println("never");
            }
        });
        tidy.start();
        tidy.join();
        likelyInner++;
        Thread careless = new Thread(() -> {
            Thread inner = new Thread(() -> racyInner++);
            inner.start();
        });
        careless.start();
        careless.join();
        racyInner++;
        Thread outer = new Thread(() -> {
            safeInner++;
            Thread inner = new Thread(() -> safeInner++);
            inner.start();
        });
        outer.start();
    }
}
