// As WorkListUnderLock, but the threads only look at the part that comes next: two of them may have the same.
package escape;

import java.util.ArrayDeque;

public class WorkListPeeked {
    private static final ArrayDeque<Part> WAITING = new ArrayDeque<>();
    private static final Object LOCK = new Object();

    static class Part {
        int rounds;
    }

    static Part next() {
        synchronized (LOCK) {
            return WAITING.peek(); //~ NORACE: guarded by LOCK
        }
    }

    static void work() {
        for (int i = 0; i < 3; i++) {
            Part part = next();
            part.rounds++; //~ RACE
            synchronized (LOCK) {
                if (WAITING.size() > 1) { //~ NORACE: guarded by LOCK
                    WAITING.poll(); //~ NORACE: guarded by LOCK
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 6; i++) {
            WAITING.add(new Part());
        }
        Thread one = new Thread(WorkListPeeked::work);
        Thread other = new Thread(WorkListPeeked::work);
        one.start();
        other.start();
        one.join();
        other.join();
        System.out.println(WAITING.isEmpty());
    }
}
