// To wait for a round that is not the present one returns at once.
package order;

import java.util.concurrent.Phaser;

public class PhaserAwaitsOtherRound {
    static final Phaser PHASER = new Phaser(1);
    static int work;

    public static void main(String[] args) {
        new Thread(() -> {
            work++; //~ RACE
            PHASER.arrive();
        }).start();
        PHASER.awaitAdvance(5);
        work++; //~ RACE
    }
}
