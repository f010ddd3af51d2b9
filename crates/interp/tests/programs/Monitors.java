/** Monitors in one thread: reentrancy, release on exceptions, IllegalMonitorStateException, synchronized methods. */
public class Monitors {
    private int depth;
    static final Object A = new Object(), B = new Object();

    synchronized int nested(int n) {
        depth++;
        synchronized (this) {
            return n == 0 ? depth : nested(n - 1);
        }
    }

    static synchronized String ofClass() {
        return "holds class " + Thread.holdsLock(Monitors.class);
    }

    static int earlyReturn(boolean early) {
        synchronized (A) {
            if (early) return 1;
            synchronized (B) {
                return Thread.holdsLock(A) && Thread.holdsLock(B) ? 2 : 3;
            }
        }
    }

    static void throwing() {
        synchronized (A) {
            synchronized (B) {
                throw new IllegalStateException("inside");
            }
        }
    }

    static int looping() {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            synchronized (A) {
                if (i % 3 == 0) continue;
                if (i == 8) break;
                sum += i;
            }
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(new Monitors().nested(4) + " " + ofClass() + " " + Thread.holdsLock(Monitors.class));
        System.out.println(earlyReturn(true) + " " + earlyReturn(false) + " " + Thread.holdsLock(A) + Thread.holdsLock(B));
        try {
            throwing();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + Thread.holdsLock(A) + Thread.holdsLock(B));
        }
        System.out.println(looping() + " " + Thread.holdsLock(A));
        try {
            A.notify();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not the owner");
        }
        try {
            A.wait(1);
        } catch (IllegalMonitorStateException e) {
            System.out.println("not the owner either");
        }
        synchronized (A) {
            A.notifyAll();
            A.wait(2);
            System.out.println("waited " + Thread.holdsLock(A));
        }
        try {
            Object nothing = null;
            synchronized (nothing) {
                System.out.println("unreachable");
            }
        } catch (NullPointerException e) {
            System.out.println("null lock");
        }
        int[] array = new int[1];
        synchronized (array) {
            array[0] = Thread.holdsLock(array) ? 1 : 0;
        }
        System.out.println(array[0]);
    }
}
