// selvedge: library=papers.HarnessOfInterface$Pool
// Only an interface is named: its callers hold some object that implements it, made by one of the two classes, of which
// one counts under its lock and the other reads the count without.
package papers;

import java.util.ArrayDeque;

public class HarnessOfInterface {
    public interface Pool {
        Object take();

        void giveBack(Object object);

        int free();
    }

    public static class LockedPool implements Pool {
        private final ArrayDeque<Object> idle = new ArrayDeque<>();
        private int free;

        @Override
        public synchronized Object take() {
            free--; //~ NORACE: all hold the pool
            return idle.poll();
        }

        @Override
        public synchronized void giveBack(Object object) {
            free++;
            idle.add(object);
        }

        @Override
        public synchronized int free() {
            return free;
        }
    }

    public static class HastyPool implements Pool {
        private final ArrayDeque<Object> idle = new ArrayDeque<>();
        private int free;

        @Override
        public synchronized Object take() {
            free--; //~ RACE
            return idle.poll();
        }

        @Override
        public synchronized void giveBack(Object object) {
            free++; //~ RACE
            idle.add(object);
        }

        @Override
        public int free() {
            return free; //~ RACE
        }
    }
}
