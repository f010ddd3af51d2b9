// An AtomicInteger shared by two threads: every increment is atomic, none is lost.
package atomics;

import java.util.concurrent.atomic.AtomicInteger;

public class AtomicCounter {
    private final AtomicInteger hits = new AtomicInteger();

    void hit() {
        hits.incrementAndGet(); //~ NORACE: atomic
    }

    public static void main(String[] args) throws Exception {
        AtomicCounter page = new AtomicCounter();
        Thread other = new Thread(page::hit);
        other.start();
        page.hit();
        other.join();
        System.out.println(page.hits.get()); //~ NORACE: atomic
    }
}
