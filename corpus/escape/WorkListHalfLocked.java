// As WorkListUnderLock, but one of the two threads takes parts without the lock: the queue itself races, and may
// give a part to both.
package escape;

import java.util.ArrayDeque;

public class WorkListHalfLocked {
    private static final ArrayDeque<Part> WAITING = new ArrayDeque<>();
    private static final Object LOCK = new Object();

    static class Part {
        int rounds;
    }

    static Part locked() {
        synchronized (LOCK) {
            return WAITING.poll(); //~ RACE
        }
    }

    static Part unlocked() {
        return WAITING.poll(); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 6; i++) {
            WAITING.add(new Part());
        }
        Thread one = new Thread(() -> {
            Part part = locked();
            if (part != null) {
                part.rounds++; //~ RACE
            }
        });
        Thread other = new Thread(() -> {
            Part part = unlocked();
            if (part != null) {
                part.rounds++; //~ RACE
            }
        });
        one.start();
        other.start();
        one.join();
        other.join();
        System.out.println(WAITING.size() >= 4);
    }
}
