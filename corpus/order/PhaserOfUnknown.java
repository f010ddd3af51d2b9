// A phaser whose number of parties comes from outside.
package order;

import java.util.concurrent.Phaser;

public class PhaserOfUnknown {
    private static int rows;

    public static void main(String[] args) {
        Phaser phaser = new Phaser(args.length + 1);
        new Thread(() -> {
            rows = 3; //~ RACE: without arguments nobody waits for it
            phaser.arrive();
        }).start();
        phaser.arriveAndAwaitAdvance();
        System.out.println(rows); //~ RACE: without arguments one party is enough
    }
}
