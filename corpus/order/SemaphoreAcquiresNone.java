// To acquire no permit is to wait for nobody.
package order;

import java.util.concurrent.Semaphore;

public class SemaphoreAcquiresNone {
    private static int data;

    public static void main(String[] args) throws InterruptedException {
        Semaphore done = new Semaphore(0);
        new Thread(() -> {
            data = 1; //~ RACE
            done.release();
        }).start();
        done.acquire(0);
        System.out.println(data); //~ RACE
    }
}
