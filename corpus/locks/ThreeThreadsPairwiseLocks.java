// Three threads hold pairwise common locks: every two of them share one though no lock is common to all three.
package locks;

public class ThreeThreadsPairwiseLocks {
    private static final Object A = new Object();
    private static final Object B = new Object();
    private static final Object C = new Object();
    private static int shared;

    static void underAB() {
        synchronized (A) {
            synchronized (B) {
                shared++; //~ NORACE: shares B with one and A with the other
            }
        }
    }

    static void underBC() {
        synchronized (B) {
            synchronized (C) {
                shared++; //~ NORACE: shares B with one and C with the other
            }
        }
    }

    static void underAC() {
        synchronized (A) {
            synchronized (C) {
                shared++; //~ NORACE: shares A with one and C with the other
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = {
            new Thread(ThreeThreadsPairwiseLocks::underAB),
            new Thread(ThreeThreadsPairwiseLocks::underBC),
            new Thread(ThreeThreadsPairwiseLocks::underAC),
        };
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(shared);
    }
}
