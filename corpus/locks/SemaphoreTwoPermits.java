// A semaphore with two permits limits the load but excludes nobody.
package locks;

import java.util.concurrent.Semaphore;

public class SemaphoreTwoPermits {
    private final Semaphore slots = new Semaphore(2);
    private int printed;

    void print() {
        slots.acquireUninterruptibly();
        try {
            printed++; //~ RACE
        } finally {
            slots.release();
        }
    }

    public static void main(String[] args) throws Exception {
        SemaphoreTwoPermits printer = new SemaphoreTwoPermits();
        Thread other = new Thread(printer::print);
        other.start();
        printer.print();
        other.join();
    }
}
