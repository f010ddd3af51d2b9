// selvedge: library=open.ConnectionPool
// A pool of connections: idle ones in a blocking queue, a semaphore for their number; who has a connection is its
// only user. The library's methods take and give back in one call, so that no caller gets hold of a connection.
package open;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

public class ConnectionPool {
    private final BlockingQueue<Connection> idle = new ArrayBlockingQueue<>(4);
    private final AtomicInteger failures = new AtomicInteger();

    public ConnectionPool() {
        for (int i = 0; i < 4; i++) {
            idle.add(new Connection());
        }
    }

    public int query(String text) throws InterruptedException {
        Connection connection = idle.take();
        try {
            return connection.execute(text);
        } catch (IllegalStateException failed) {
            failures.incrementAndGet();
            connection.reset();
            return -1;
        } finally {
            idle.put(connection);
        }
    }

    private static final class Connection {
        private final StringBuilder buffer = new StringBuilder();
        private int statements;

        int execute(String text) {
            statements++; //~ NORACE: whoever has taken the connection out of the queue is alone with it
            buffer.setLength(0); //~ NORACE: as above
            buffer.append(text); //~ NORACE: as above
            if (buffer.length() == 0) { //~ NORACE: as above
                throw new IllegalStateException("empty");
            }
            return statements; //~ NORACE: as above
        }

        void reset() {
            statements = 0; //~ NORACE: as above
        }
    }
}
