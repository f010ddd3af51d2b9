// A semaphore without permits as a signal: release after writing, acquire before reading.
package order;

import java.util.concurrent.Semaphore;

public class SemaphoreHandOver {
    private static String parcel;

    public static void main(String[] args) throws Exception {
        Semaphore ready = new Semaphore(0);
        Thread sender = new Thread(() -> {
            parcel = "book"; //~ NORACE: before the release
            ready.release();
        });
        sender.start();
        ready.acquire();
        System.out.println(parcel); //~ NORACE: after the acquire
        sender.join();
    }
}
