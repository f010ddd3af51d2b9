// arrive() does not wait: the thread that only arrives goes on and reads what may not be written yet.
package order;

import java.util.concurrent.Phaser;

public class PhaserArriveOnly {
    private static int left;
    private static int right;

    public static void main(String[] args) throws Exception {
        Phaser phaser = new Phaser(2);
        Thread a = new Thread(() -> {
            left = 1; //~ NORACE: b waits for a's arrival
            phaser.arrive();
            System.out.print(right >= 0); //~ RACE
        });
        Thread b = new Thread(() -> {
            right = 2; //~ RACE
            phaser.arriveAndAwaitAdvance();
            System.out.print(left >= 0); //~ NORACE: after the phase
        });
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
