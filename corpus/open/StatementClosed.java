// selvedge: library=open.StatementClosed
// A database statement with a plain closed flag: close may come from another thread than execute.
package open;

public class StatementClosed {
    private boolean closed;
    private final Object connection = new Object();

    public int execute(String sql) {
        if (closed) { //~ RACE
            throw new IllegalStateException("closed");
        }
        synchronized (connection) {
            return sql.length();
        }
    }

    public void close() {
        synchronized (connection) {
            closed = true; //~ RACE
        }
    }
}
