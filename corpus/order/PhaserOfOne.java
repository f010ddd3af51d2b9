// A phaser with one party: arriveAndAwaitAdvance of the main thread waits for nobody.
package order;

import java.util.concurrent.Phaser;

public class PhaserOfOne {
    private static int rows;

    public static void main(String[] args) {
        Phaser phaser = new Phaser(1);
        new Thread(() -> {
            rows = 3; //~ RACE: not registered, so nobody waits for it
            phaser.arrive();
        }).start();
        phaser.arriveAndAwaitAdvance();
        System.out.println(rows); //~ RACE: one party is enough
    }
}
