// A semaphore with one permit is a mutual exclusion lock.
package locks;

import java.util.concurrent.Semaphore;

public class SemaphoreAsMutex {
    private final Semaphore mutex = new Semaphore(1);
    private int printed;

    void print() {
        mutex.acquireUninterruptibly();
        try {
            printed++; //~ NORACE: one permit
        } finally {
            mutex.release();
        }
    }

    public static void main(String[] args) throws Exception {
        SemaphoreAsMutex printer = new SemaphoreAsMutex();
        Thread other = new Thread(printer::print);
        other.start();
        printer.print();
        other.join();
        System.out.println(printer.printed);
    }
}
