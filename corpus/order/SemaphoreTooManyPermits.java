// The same with one permit at the beginning: acquire may return before the sender has written.
package order;

import java.util.concurrent.Semaphore;

public class SemaphoreTooManyPermits {
    private static String parcel = "";

    public static void main(String[] args) throws Exception {
        Semaphore ready = new Semaphore(1);
        Thread sender = new Thread(() -> {
            parcel = "book"; //~ RACE
            ready.release();
        });
        sender.start();
        ready.acquire();
        System.out.println(parcel.length() <= 4); //~ RACE
        sender.join();
    }
}
