// A semaphore whose permits come from outside may let pass at once.
package order;

import java.util.concurrent.Semaphore;

public class SemaphoreOfUnknown {
    private static int rows;

    public static void main(String[] args) throws InterruptedException {
        Semaphore done = new Semaphore(args.length);
        new Thread(() -> {
            rows = 3; //~ RACE: with an argument nobody waits
            done.release();
        }).start();
        done.acquire();
        System.out.println(rows); //~ RACE: with an argument acquire returns at once
    }
}
