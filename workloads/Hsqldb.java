// An in-memory HSQLDB database: schema, joins, routines, and transactions of several threads.
// jars: hsqldb

import java.math.BigDecimal;
import java.sql.*;
import java.util.*;
import java.util.concurrent.*;

public class Hsqldb {
    static final String URL = "jdbc:hsqldb:mem:shop";

    public static void main(String[] args) throws Exception {
        System.setProperty("hsqldb.method_class_names", "Hsqldb.*");
        try (Connection connection = connect()) {
            createSchema(connection);
            fill(connection);
            System.out.println("rows " + queries(connection));
            System.out.println("errors " + mistakes(connection));
        }
        transfers(3, 15);
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery("SELECT SUM(balance) FROM account")) {
                rows.next();
                System.out.println("total " + rows.getBigDecimal(1));
            }
            statement.execute("SHUTDOWN");
        }
    }

    static Connection connect() throws SQLException {
        return DriverManager.getConnection(URL, "SA", "");
    }

    static void createSchema(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET DATABASE TRANSACTION CONTROL MVCC");
            statement.execute("CREATE TABLE customer(id INT PRIMARY KEY, name VARCHAR(60) NOT NULL, born DATE, note CLOB)");
            statement.execute("CREATE TABLE account(id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner INT, "
                + "balance DECIMAL(12, 2) CHECK (balance >= 0), FOREIGN KEY (owner) REFERENCES customer(id))");
            statement.execute("CREATE INDEX account_owner ON account(owner)");
            statement.execute("CREATE VIEW rich AS SELECT c.name, SUM(a.balance) AS total FROM customer c "
                + "JOIN account a ON a.owner = c.id GROUP BY c.name");
            statement.execute("CREATE TRIGGER keep BEFORE DELETE ON customer REFERENCING OLD AS o FOR EACH ROW "
                + "WHEN (o.id = 0) SIGNAL SQLSTATE '45000'");
            statement.execute("CREATE FUNCTION reversed(t VARCHAR(60)) RETURNS VARCHAR(60) "
                + "LANGUAGE JAVA DETERMINISTIC NO SQL EXTERNAL NAME 'CLASSPATH:Hsqldb.reversed'");
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
            for (int i = 0; i < 40; i++) {
                customers.setInt(1, i);
                customers.setString(2, "customer " + i);
                customers.setDate(3, java.sql.Date.valueOf("19" + (50 + i) + "-01-15"));
                customers.setString(4, "note " + i);
                customers.addBatch();
            }
            customers.executeBatch();
            for (int i = 0; i < 80; i++) {
                accounts.setInt(1, i % 40);
                accounts.setBigDecimal(2, new BigDecimal(i * 5 + ".50"));
                accounts.executeUpdate();
            }
        }
        Savepoint before = connection.setSavepoint("before");
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM account WHERE balance < 20");
        }
        connection.rollback(before);
        connection.commit();
        connection.setAutoCommit(true);
    }

    static int queries(Connection connection) throws SQLException {
        String[] texts = {
            "SELECT c.name, a.balance FROM customer c LEFT JOIN account a ON a.owner = c.id WHERE a.balance BETWEEN 50 AND 200 ORDER BY 2 DESC, 1",
            "SELECT * FROM rich ORDER BY total",
            "SELECT EXTRACT(YEAR FROM born), COUNT(*), AVG(id), MAX(name) FROM customer GROUP BY EXTRACT(YEAR FROM born)",
            "SELECT name FROM customer WHERE id IN (SELECT owner FROM account WHERE balance > 100) AND name LIKE '%1%'",
            "SELECT UPPER(name) || '-' || LENGTH(name), SUBSTRING(name FROM 1 FOR 3), reversed(name) FROM customer",
            "SELECT id FROM customer UNION SELECT owner FROM account EXCEPT SELECT id FROM customer WHERE id = 3",
            "WITH RECURSIVE n(i) AS (VALUES(1) UNION SELECT i + 1 FROM n WHERE i < 8) SELECT i FROM n",
            "SELECT CASE WHEN balance > 100 THEN 'high' ELSE 'low' END, balance FROM account",
            "SELECT note, born + INTERVAL '3' DAY, MOD(id, 7), SQRT(id) FROM customer LIMIT 5",
            "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES",
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
                "UPDATE account SET balance = -5", "DELETE FROM customer WHERE id = 0", "VALUES(1 / 0)")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(text);
            } catch (SQLException expected) {
                errors++;
            }
        }
        return errors;
    }

    static void transfers(int threads, int each) throws Exception {
        ExecutorService executor = Executors.newCachedThreadPool();
        CountDownLatch ready = new CountDownLatch(threads);
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int seed = t;
            tasks.add(() -> {
                ready.countDown();
                ready.await();
                return run(new Random(seed), each);
            });
        }
        int done = 0;
        for (Future<Integer> result : executor.invokeAll(tasks)) {
            done += result.get();
        }
        executor.shutdown();
        System.out.println("transferred " + (done > 0));
    }

    static int run(Random random, int count) throws SQLException {
        int done = 0;
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < count; i++) {
                try (PreparedStatement move =
                        connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?")) {
                    int amount = random.nextBoolean() ? 1 : 0;
                    move.setInt(1, -amount);
                    move.setInt(2, random.nextInt(40) + 20);
                    move.executeUpdate();
                    move.setInt(1, amount);
                    move.setInt(2, random.nextInt(40) + 20);
                    move.executeUpdate();
                    connection.commit();
                    done++;
                } catch (SQLException conflict) {
                    connection.rollback();
                }
            }
        }
        return done;
    }
}
