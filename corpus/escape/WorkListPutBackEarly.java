// As WorkListUnderLock, but a part is put back before its thread has done with it: the next one may have taken
// it by then.
package escape;

import java.util.ArrayDeque;

public class WorkListPutBackEarly {
    private static final ArrayDeque<Part> WAITING = new ArrayDeque<>();
    private static final Object LOCK = new Object();

    static class Part {
        int rounds;
        int left = 3;
    }

    static Part next() {
        synchronized (LOCK) {
            return WAITING.poll(); //~ NORACE: guarded by LOCK
        }
    }

    static void work() {
        for (Part part = next(); part != null; part = next()) {
            part.left--; //~ NORACE: the thread has the part
            if (part.left > 0) { //~ NORACE: as above
                synchronized (LOCK) {
                    WAITING.add(part); //~ NORACE: guarded by LOCK
                }
            }
            part.rounds++; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 6; i++) {
            WAITING.add(new Part());
        }
        Thread one = new Thread(WorkListPutBackEarly::work);
        Thread other = new Thread(WorkListPutBackEarly::work);
        one.start();
        other.start();
        one.join();
        other.join();
        System.out.println(WAITING.size());
    }
}
