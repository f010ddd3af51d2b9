// selvedge: library=papers.JdbfMended$Database
// The mapper as its developers mended it: the operations of the database are synchronized.
package papers;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

public class JdbfMended {
    static class Connection {
        int execute(String sql) {
            return sql.length();
        }
    }

    static class ConnectionSource {
        private final Connection connection = new Connection();
        private boolean used;

        Connection getConnection() {
            if (!used) { //~ NORACE: guarded by the database
                used = true; //~ NORACE: guarded by the database
                return connection;
            }
            throw new IllegalStateException("in use");
        }

        void release() {
            used = false; //~ NORACE: guarded by the database
        }
    }

    static class ConnectionManager {
        private final Map<String, ConnectionSource> sources = Collections.synchronizedMap(new HashMap<>());

        ConnectionManager() {
            sources.put("default", new ConnectionSource());
        }

        ConnectionSource source(String name) {
            return sources.get(name);
        }
    }

    public static class Database {
        private final ConnectionManager manager = new ConnectionManager();

        public synchronized int insert(String row) {
            return operate("insert " + row);
        }

        public synchronized int delete(String row) {
            return operate("delete " + row);
        }

        private int operate(String sql) {
            ConnectionSource source = manager.source("default");
            try {
                return source.getConnection().execute(sql);
            } finally {
                source.release();
            }
        }
    }
}
