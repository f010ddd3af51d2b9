package credence;

import java.util.ArrayList;
import java.util.List;

/** What a second look and assertions tell apart. */
public class Looks {
    static final List<Session> SESSIONS = new ArrayList<>();

    /** Filled by the thread that makes it, or changed after others got it. */
    public static class Session {
        private int doubtedOwn;
        private int credibleRegistered;

        void fill() {
            doubtedOwn++;
        }

        void late() {
            credibleRegistered++;
        }

        public synchronized int read() {
            return doubtedOwn + credibleRegistered;
        }
    }

    public static Session connect() {
        Session session = new Session();
        session.fill();
        synchronized (SESSIONS) {
            SESSIONS.add(session);
        }
        session.late();
        return session;
    }

    /** A lock that a method asserts, and one that it does not. */
    public static class Asserting {
        private final Object lock = new Object();
        private int doubtedAsserted;
        private int credibleUnasserted;

        public void handle() {
            assert Thread.holdsLock(lock);
            doubtedAsserted++;
        }

        public void change() {
            credibleUnasserted++;
        }

        public int read() {
            synchronized (lock) {
                handle();
                return doubtedAsserted + credibleUnasserted;
            }
        }
    }

    /** Changed by a helper that is called with the lock, or without. */
    public static class Helped {
        private int doubtedHelped;
        private int credibleHelped;

        void help() {
            doubtedHelped++;
        }

        void helpFreely() {
            credibleHelped++;
        }

        public synchronized int use() {
            new Helper().help(this);
            return doubtedHelped + credibleHelped;
        }

        public void useFreely() {
            new Helper().helpFreely(this);
        }
    }
}
