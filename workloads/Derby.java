// An embedded in-memory Derby database: schema, joins, triggers, and transactions of several threads.
// jars: derby

import java.math.BigDecimal;
import java.sql.*;
import java.util.*;

public class Derby {
    static final String URL = "jdbc:derby:memory:shop";

    public static void main(String[] args) throws Exception {
        System.setProperty("derby.stream.error.method", "Derby.discard");
        try (Connection connection = DriverManager.getConnection(URL + ";create=true")) {
            createSchema(connection);
            fill(connection);
            System.out.println("rows " + queries(connection));
            System.out.println("errors " + mistakes(connection));
            procedures(connection);
        }
        transfers(3, 8);
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT SUM(balance) FROM account")) {
            rows.next();
            System.out.println("total " + rows.getBigDecimal(1));
        }
        try {
            DriverManager.getConnection(URL + ";drop=true");
        } catch (SQLException expected) {
            System.out.println("dropped " + expected.getSQLState());
        }
        try {
            DriverManager.getConnection("jdbc:derby:;shutdown=true");
        } catch (SQLException expected) {
            System.out.println("down " + expected.getSQLState());
        }
    }

    /** Where Derby's log goes; found by name. */
    public static java.io.OutputStream discard() {
        return java.io.OutputStream.nullOutputStream();
    }

    static void createSchema(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE customer(id INT PRIMARY KEY, name VARCHAR(60) NOT NULL, born DATE, note CLOB)");
            statement.execute("CREATE TABLE account(id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner INT REFERENCES customer(id), "
                + "balance DECIMAL(12, 2) CHECK (balance >= 0))");
            statement.execute("CREATE TABLE audit(id INT, change DECIMAL(12, 2))");
            statement.execute("CREATE INDEX account_owner ON account(owner)");
            statement.execute("CREATE TRIGGER log_change AFTER UPDATE ON account REFERENCING OLD AS o NEW AS n "
                + "FOR EACH ROW INSERT INTO audit VALUES(n.id, n.balance - o.balance)");
            statement.execute("CREATE VIEW rich AS SELECT c.name, SUM(a.balance) AS total FROM customer c "
                + "JOIN account a ON a.owner = c.id GROUP BY c.name");
            statement.execute("CREATE FUNCTION reversed(t VARCHAR(60)) RETURNS VARCHAR(60) "
                + "PARAMETER STYLE JAVA NO SQL LANGUAGE JAVA EXTERNAL NAME 'Derby.reversed'");
        }
    }

    /** Called by the database. */
    public static String reversed(String text) {
        return new StringBuilder(text).reverse().toString();
    }

    static void fill(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement customers = connection.prepareStatement("INSERT INTO customer VALUES(?, ?, ?, ?)");
                PreparedStatement accounts = connection.prepareStatement("INSERT INTO account(owner, balance) VALUES(?, ?)")) {
            for (int i = 0; i < 20; i++) {
                customers.setInt(1, i);
                customers.setString(2, "customer " + i);
                customers.setDate(3, java.sql.Date.valueOf("19" + (50 + i) + "-01-15"));
                customers.setString(4, "note " + i);
                customers.executeUpdate();
            }
            for (int i = 0; i < 40; i++) {
                accounts.setInt(1, i % 20);
                accounts.setBigDecimal(2, new BigDecimal(i * 5 + ".50"));
                accounts.addBatch();
            }
            accounts.executeBatch();
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    static int queries(Connection connection) throws SQLException {
        String[] texts = {
            "SELECT c.name, a.balance FROM customer c LEFT JOIN account a ON a.owner = c.id WHERE a.balance BETWEEN 50 AND 200 ORDER BY 2 DESC, 1",
            "SELECT * FROM rich ORDER BY total",
            "SELECT YEAR(born), COUNT(*), AVG(id), MAX(name) FROM customer GROUP BY YEAR(born)",
            "SELECT name FROM customer WHERE id IN (SELECT owner FROM account WHERE balance > 100) AND name LIKE '%1%'",
            "SELECT UPPER(name) || '-' || CHAR(LENGTH(name)), SUBSTR(name, 1, 3), reversed(name) FROM customer",
            "SELECT id FROM customer UNION SELECT owner FROM account",
            "SELECT CASE WHEN balance > 100 THEN 'high' ELSE 'low' END FROM account",
            "SELECT note FROM customer WHERE id < 3",
            "SELECT TABLENAME FROM SYS.SYSTABLES",
        };
        int rows = 0;
        try (Statement statement = connection.createStatement()) {
            for (String text : texts) {
                try (ResultSet result = statement.executeQuery(text)) {
                    int columns = result.getMetaData().getColumnCount();
                    while (result.next()) {
                        rows++;
                        for (int i = 1; i <= columns; i++) {
                            result.getString(i);
                        }
                    }
                }
            }
            statement.executeUpdate("UPDATE account SET balance = balance + 1 WHERE owner < 5");
            statement.execute("ALTER TABLE customer ADD COLUMN phone VARCHAR(20) DEFAULT 'x'");
        }
        return rows;
    }

    static int mistakes(Connection connection) {
        int errors = 0;
        for (String text : List.of("SELEC 1", "SELECT * FROM missing", "INSERT INTO customer(id, name) VALUES(1, 'twice')",
                "UPDATE account SET balance = -5", "VALUES 1 / 0")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(text);
            } catch (SQLException expected) {
                errors++;
            }
        }
        return errors;
    }

    static void procedures(Connection connection) throws SQLException {
        try (CallableStatement call = connection.prepareCall("CALL SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY(?, ?)")) {
            call.setString(1, "derby.locks.waitTimeout");
            call.setString(2, "5");
            call.execute();
        }
    }

    static void transfers(int threads, int each) throws Exception {
        Thread[] all = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            all[t] = new Thread(new Transfers(t, each), "transfer-" + t);
            all[t].start();
        }
        for (Thread thread : all) {
            thread.join();
        }
    }

    static class Transfers implements Runnable {
        final Random random;
        final int count;

        Transfers(int seed, int count) {
            this.random = new Random(seed);
            this.count = count;
        }

        @Override public void run() {
            try (Connection connection = DriverManager.getConnection(URL)) {
                connection.setAutoCommit(false);
                for (int i = 0; i < count; i++) {
                    transfer(connection, random.nextInt(40) + 1, random.nextInt(40) + 1);
                }
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        }

        private void transfer(Connection connection, int from, int to) throws SQLException {
            try (PreparedStatement take = connection.prepareStatement("UPDATE account SET balance = balance - 1 WHERE id = ?");
                    PreparedStatement give = connection.prepareStatement("UPDATE account SET balance = balance + 1 WHERE id = ?")) {
                take.setInt(1, from);
                give.setInt(1, to);
                take.executeUpdate();
                give.executeUpdate();
                connection.commit();
            } catch (SQLException conflict) {
                connection.rollback();
            }
        }
    }
}
