// Who has asked the phaser for the round waits for it.
package order;

import java.util.concurrent.Phaser;

public class PhaserAwaitsPresentRound {
    static final Phaser PHASER = new Phaser(1);
    static int work;

    public static void main(String[] args) {
        int round = PHASER.getPhase();
        new Thread(() -> {
            work++; //~ NORACE
            PHASER.arrive();
        }).start();
        PHASER.awaitAdvance(round);
        work++; //~ NORACE
    }
}
