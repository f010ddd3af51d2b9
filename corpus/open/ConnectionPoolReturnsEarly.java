// selvedge: library=open.ConnectionPoolReturnsEarly
// As ConnectionPool, but a connection is used once more after it was put back: another thread may have taken it
// by then.
package open;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class ConnectionPoolReturnsEarly {
    private final BlockingQueue<Connection> idle = new ArrayBlockingQueue<>(4);

    public ConnectionPoolReturnsEarly() {
        for (int i = 0; i < 4; i++) {
            idle.add(new Connection());
        }
    }

    public int query(String text) throws InterruptedException {
        Connection connection = idle.take();
        connection.statements += text.length(); //~ RACE
        idle.put(connection);
        return connection.statements; //~ RACE
    }

    private static final class Connection {
        int statements;
    }
}
