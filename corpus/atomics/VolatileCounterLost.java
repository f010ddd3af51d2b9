// volatile++ loses updates, which is an error, but volatile accesses never form a data race.
package atomics;

public class VolatileCounterLost {
    private volatile int hits;

    void hit() {
        hits++; //~ NORACE: volatile; the lost update is no data race
    }

    public static void main(String[] args) throws Exception {
        VolatileCounterLost page = new VolatileCounterLost();
        Thread other = new Thread(page::hit);
        other.start();
        page.hit();
        other.join();
        System.out.println(page.hits > 0);
    }
}
