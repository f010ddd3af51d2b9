// selvedge: library=open.ConnectionPoolPeeks
// As ConnectionPool, but a report looks into the connections while others use them: peek does not take them out.
package open;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class ConnectionPoolPeeks {
    private final BlockingQueue<Connection> idle = new ArrayBlockingQueue<>(4);

    public ConnectionPoolPeeks() {
        for (int i = 0; i < 4; i++) {
            idle.add(new Connection());
        }
    }

    public int query(String text) throws InterruptedException {
        Connection connection = idle.take();
        try {
            connection.statements += text.length(); //~ RACE
            return connection.statements; //~ NORACE: who writes has it in custody, and who peeks reads
        } finally {
            idle.put(connection);
        }
    }

    public int peek() {
        Connection connection = idle.peek();
        return connection == null ? 0 : connection.statements; //~ RACE
    }

    private static final class Connection {
        int statements;
    }
}
