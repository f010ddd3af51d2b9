// selvedge: library=papers.JdbfShape$Database
// An object-relational mapper: the map of connection sources is synchronized, the sources' used flags are not, so two
// operations may be given one connection.
package papers;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

public class JdbfShape {
    static class Connection {
        int execute(String sql) {
            return sql.length();
        }
    }

    static class ConnectionSource {
        private final Connection connection = new Connection();
        private boolean used;

        Connection getConnection() {
            if (!used) { //~ RACE
                used = true; //~ RACE
                return connection;
            }
            throw new IllegalStateException("in use");
        }

        void release() {
            used = false; //~ RACE
        }
    }

    static class ConnectionManager {
        private final Map<String, ConnectionSource> sources = Collections.synchronizedMap(new HashMap<>());

        ConnectionManager() {
            sources.put("default", new ConnectionSource());
        }

        ConnectionSource source(String name) {
            return sources.get(name); //~ NORACE: a synchronized map
        }
    }

    public static class Database {
        private final ConnectionManager manager = new ConnectionManager();

        public int insert(String row) {
            ConnectionSource source = manager.source("default");
            int result = source.getConnection().execute("insert " + row);
            source.release();
            return result;
        }

        public int delete(String row) {
            ConnectionSource source = manager.source("default");
            int result = source.getConnection().execute("delete " + row);
            source.release();
            return result;
        }
    }
}
