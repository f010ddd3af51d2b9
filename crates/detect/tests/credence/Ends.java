package credence;

import java.io.Externalizable;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.lang.ref.Cleaner;

/** Objects that begin with what is read, and that end by a cleaner. */
public class Ends implements Externalizable {
    private int doubtedRead;
    private int credibleRead;

    @Override
    public void readExternal(ObjectInput in) {
        doubtedRead = 1;
    }

    @Override
    public void writeExternal(ObjectOutput out) {}

    public synchronized int read() {
        return doubtedRead + credibleRead;
    }

    public void count() {
        credibleRead++;
    }

    /** What a cleaner closes, and what a thread watches. */
    static class State {
        private int doubtedClosed;
        private int credibleWatched;

        void close() {
            doubtedClosed++;
        }

        void use() {
            doubtedClosed--;
            if (credibleWatched-- > 3) {
                credibleWatched = 0;
            }
        }

        void watch() {
            credibleWatched++;
        }
    }

    private static final Cleaner CLEANER = Cleaner.create();

    /** A resource. */
    public static class Resource {
        private final State state = new State();

        public Resource() {
            State closed = state;
            CLEANER.register(this, () -> closed.close());
        }

        public void watch() {
            State watched = state;
            new Thread(() -> watched.watch()).start();
        }

        public void use() {
            state.use();
        }
    }

    /** A stream whose `mark` is synchronized because that of its superclass is. */
    public static class Marked extends InputStream {
        private InputStream doubtedStream = InputStream.nullInputStream();

        @Override
        public int read() {
            return -1;
        }

        @Override
        public synchronized void mark(int limit) {
            doubtedStream.mark(limit);
        }

        @Override
        public void close() {
            doubtedStream = null;
        }
    }

    /** A stream that takes a lock to read. */
    public static class Locked extends InputStream {
        private InputStream credibleStream = InputStream.nullInputStream();

        @Override
        public synchronized int read() {
            return credibleStream == null ? -1 : 0;
        }

        @Override
        public void close() {
            credibleStream = null;
        }
    }
}
