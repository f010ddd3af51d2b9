// Threads take parts of the work from a plain queue under a lock, split them, and put what is left back: each
// part has one thread at a time, and what it does to the part happens before the next one takes it.
package escape;

import java.util.ArrayDeque;

public class WorkListUnderLock {
    private static final ArrayDeque<Part> WAITING = new ArrayDeque<>();
    private static final Object LOCK = new Object();

    static class Part {
        final int[] path = new int[4];
        int length;
        int rounds;
    }

    static Part next() {
        synchronized (LOCK) {
            return WAITING.poll(); //~ NORACE: guarded by LOCK
        }
    }

    static void extend(Part part) {
        if (part.length == part.path.length) { //~ NORACE: the thread has taken the part out of the queue
            return;
        }
        part.path[part.length++] = part.rounds; //~ NORACE: as above
        extend(part);
        part.length--; //~ NORACE: as above
    }

    static void work() {
        for (Part part = next(); part != null; part = next()) {
            extend(part);
            part.rounds++; //~ NORACE: as above
            if (part.rounds < 3) { //~ NORACE: as above
                synchronized (LOCK) {
                    WAITING.add(part); //~ NORACE: guarded by LOCK
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 6; i++) {
            Part part = new Part();
            part.length = i % 3; //~ NORACE: before the threads start
            WAITING.add(part);
        }
        Thread one = new Thread(WorkListUnderLock::work);
        Thread other = new Thread(WorkListUnderLock::work);
        one.start();
        other.start();
        one.join();
        other.join();
        System.out.println(WAITING.size());
    }
}
