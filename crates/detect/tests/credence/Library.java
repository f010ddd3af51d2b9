package credence;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Every class has memory that is doubted and memory of the same shape that is not, told by the names of the fields. */
public class Library {
    static final List<Object> REGISTRY = new ArrayList<>();

    /** Set up before a thread is started, or changed while it runs. */
    public static class Launched {
        private int doubtedSetUp;
        private int credibleCount;

        public void launch() {
            doubtedSetUp = 1;
            new Thread(this::work).start();
        }

        public void change() {
            credibleCount++;
        }

        private void work() {
            if (doubtedSetUp > 0 && credibleCount < 10) {
                credibleCount++;
            }
        }
    }

    /** Constructors that share the object before they have filled it. */
    public static class Making {
        private int doubtedMade;
        private final Map<String, String> doubtedMap = new HashMap<>();

        public Making() {
            synchronized (REGISTRY) {
                REGISTRY.add(this);
            }
            doubtedMade = 1;
            doubtedMap.put("a", "b");
        }

        public synchronized int made() {
            return doubtedMade + doubtedMap.size();
        }
    }

    /** A constructor that starts the thread itself. */
    public static class Eager {
        private int credibleLate;

        public Eager() {
            new Thread(() -> System.out.println(credibleLate)).start();
            credibleLate = 1;
        }
    }

    /** A lock that a helper takes. */
    public static class TwoLocks {
        private final ReentrantLock lock = new ReentrantLock();
        private int doubtedBoth;
        private int credibleOne;

        public void merge(TwoLocks other) {
            takeBoth(other);
            try {
                doubtedBoth += other.doubtedBoth;
            } finally {
                lock.unlock();
                other.lock.unlock();
            }
        }

        private void takeBoth(TwoLocks other) {
            while (true) {
                boolean mine = lock.tryLock();
                boolean others = other.lock.tryLock();
                if (mine && others) {
                    return;
                }
                if (mine) {
                    lock.unlock();
                }
                if (others) {
                    other.lock.unlock();
                }
            }
        }

        public void add() {
            lock.lock();
            try {
                doubtedBoth++;
                credibleOne++;
            } finally {
                lock.unlock();
            }
        }

        public int peek() {
            return credibleOne > 3 ? 1 : 0;
        }
    }

    /** How the use of an object begins. */
    public static class Service {
        private int doubtedConfigured;
        private int doubtedLimit;
        private int credibleState;

        public void init() {
            doubtedConfigured = 1;
        }

        public void setLimit(int limit) {
            doubtedLimit = limit;
        }

        public void reset() {
            credibleState = 0;
        }

        public synchronized int use() {
            credibleState++;
            return doubtedConfigured + doubtedLimit + credibleState;
        }
    }

    /** Part of a user interface. */
    public static class Panel extends javax.swing.JPanel {
        private static Panel doubtedPanel;

        public static Panel shared() {
            if (doubtedPanel == null) {
                doubtedPanel = new Panel();
            }
            return doubtedPanel;
        }
    }

    /** The same, and no part of one. */
    public static class Single {
        private static Single credibleSingle;
        private int uses;

        public static Single shared() {
            if (credibleSingle == null) {
                credibleSingle = new Single();
            }
            return credibleSingle;
        }
    }

    /** An array without elements, and one with some. */
    public static class Arrays {
        static final Object[] DOUBTED_NONE = new Object[0];
        static final Object[] CREDIBLE_SLOTS = new Object[8];

        public static int fill(List<Object> list) {
            CREDIBLE_SLOTS[0] = list;
            return list.toArray(DOUBTED_NONE).length;
        }
    }
}
