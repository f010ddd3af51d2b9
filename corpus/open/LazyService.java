// selvedge: library=open.LazyService
// A service with a lazily opened connection: open checks and assigns without a lock, close resets.
package open;

public class LazyService {
    private static class Connection {
        private final int number;

        Connection(int number) {
            this.number = number;
        }
    }

    private Connection connection;

    public int use() {
        if (connection == null) { //~ RACE
            connection = new Connection(1); //~ RACE
        }
        return connection.number; //~ RACE: may even be null again
    }

    public void close() {
        connection = null; //~ RACE
    }
}
