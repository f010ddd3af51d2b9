// A phaser as a barrier: arriveAndAwaitAdvance separates the round of writing from the round of reading.
package order;

import java.util.concurrent.Phaser;

public class PhaserRounds {
    private static int left;
    private static int right;

    public static void main(String[] args) throws Exception {
        Phaser phaser = new Phaser(2);
        Thread a = new Thread(() -> {
            left = 1; //~ NORACE: first phase
            phaser.arriveAndAwaitAdvance();
            System.out.print(right == 2 ? "ok" : "?"); //~ NORACE: second phase
        });
        Thread b = new Thread(() -> {
            right = 2; //~ NORACE: first phase
            phaser.arriveAndAwaitAdvance();
            System.out.print(left == 1 ? "ok" : "?"); //~ NORACE: second phase
        });
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
