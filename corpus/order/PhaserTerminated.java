// A phaser is terminated by a third thread: who waits for the others' arrival goes on at once, and reads what
// may be written meanwhile.
package order;

import java.util.concurrent.Phaser;

public class PhaserTerminated {
    private static int result;

    public static void main(String[] args) {
        Phaser phaser = new Phaser(2);
        new Thread(() -> {
            result = 1; //~ RACE
            phaser.arrive();
        }).start();
        new Thread(phaser::forceTermination).start();
        phaser.arriveAndAwaitAdvance();
        System.out.println(result); //~ RACE
    }
}
