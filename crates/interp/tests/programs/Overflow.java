/** Stack overflow is catchable, leaves locks released and the program usable. */
public class Overflow {
    static int depth;
    static final Object LOCK = new Object();

    static int recurse(int n) {
        depth++;
        return recurse(n + 1) + 1;
    }

    static synchronized void locked() {
        locked();
    }

    static void withFinally(int[] counter) {
        try {
            withFinally(counter);
        } finally {
            counter[0] |= 1;
        }
    }

    static int bounded(int n) {
        return n == 0 ? 0 : 1 + bounded(n - 1);
    }

    public static void main(String[] args) throws Exception {
        try {
            recurse(0);
        } catch (StackOverflowError e) {
            System.out.println("overflow " + (depth > 500));
        }
        try {
            locked();
        } catch (StackOverflowError e) {
            System.out.println("locked overflow");
        }
        int[] counter = {0};
        try {
            withFinally(counter);
        } catch (StackOverflowError e) {
            System.out.println("finally ran " + counter[0]);
        }
        Thread other = new Thread(() -> {
            synchronized (Overflow.class) {
                System.out.println("lock is free");
            }
        });
        other.start();
        other.join();
        System.out.println(bounded(800));
    }
}
