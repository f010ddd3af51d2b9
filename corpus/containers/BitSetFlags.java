// BitSet packs its bits into words: setting different bits from two threads still races on the set.
package containers;

import java.util.BitSet;

public class BitSetFlags {
    public static void main(String[] args) throws Exception {
        BitSet done = new BitSet(64);
        Thread even = new Thread(() -> {
            for (int i = 0; i < 64; i += 2) {
                done.set(i); //~ RACE
            }
        });
        Thread odd = new Thread(() -> {
            for (int i = 1; i < 64; i += 2) {
                done.set(i); //~ RACE
            }
        });
        even.start();
        odd.start();
        even.join();
        odd.join();
        System.out.println(done.cardinality() <= 64); //~ NORACE: after both joins
    }
}
