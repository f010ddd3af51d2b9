// An in-memory H2 database: schema, joins, views, functions, and transactions of several threads.
// jars: h2

import java.sql.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

public class H2 {
    static final String URL = "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1";

    public static void main(String[] args) throws Exception {
        try (Connection connection = connect()) {
            createSchema(connection);
            fill(connection);
            System.out.println("joined rows " + queries(connection));
            System.out.println("errors " + mistakes(connection));
            metadata(connection);
        }
        System.out.println("transferred " + transfers(3, 12));
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery("SELECT SUM(balance) FROM account")) {
                rows.next();
                System.out.println("total " + rows.getBigDecimal(1));
            }
            statement.execute("SHUTDOWN");
        }
    }

    static Connection connect() throws SQLException {
        return DriverManager.getConnection(URL, "sa", "");
    }

    static void createSchema(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE customer(id INT PRIMARY KEY, name VARCHAR(60) NOT NULL, born DATE, note CLOB)");
            statement.execute("CREATE TABLE account(id INT AUTO_INCREMENT PRIMARY KEY, owner INT REFERENCES customer(id), "
                + "balance DECIMAL(12, 2) CHECK (balance >= 0), opened TIMESTAMP DEFAULT CURRENT_TIMESTAMP)");
            statement.execute("CREATE INDEX account_owner ON account(owner)");
            statement.execute("CREATE UNIQUE INDEX customer_name ON customer(name)");
            statement.execute("CREATE SEQUENCE ticket START WITH 100");
            statement.execute("CREATE VIEW rich AS SELECT c.name, SUM(a.balance) AS total FROM customer c "
                + "JOIN account a ON a.owner = c.id GROUP BY c.name HAVING SUM(a.balance) > 300");
        }
    }

    static void fill(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement customers = connection.prepareStatement("INSERT INTO customer VALUES(?, ?, ?, ?)");
                PreparedStatement accounts =
                    connection.prepareStatement("INSERT INTO account(owner, balance) VALUES(?, ?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int i = 0; i < 40; i++) {
                customers.setInt(1, i);
                customers.setString(2, "customer " + i);
                customers.setDate(3, java.sql.Date.valueOf("19" + (50 + i) + "-01-15"));
                customers.setString(4, i % 3 == 0 ? null : "note ".repeat(i));
                customers.addBatch();
            }
            customers.executeBatch();
            for (int i = 0; i < 80; i++) {
                accounts.setInt(1, i % 40);
                accounts.setBigDecimal(2, new java.math.BigDecimal(i * 5 + ".50"));
                accounts.executeUpdate();
                try (ResultSet keys = accounts.getGeneratedKeys()) {
                    keys.next();
                }
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
            "SELECT UPPER(name) || '-' || LENGTH(name), SUBSTRING(name, 1, 3), COALESCE(note, 'none') FROM customer",
            "SELECT id FROM customer UNION SELECT owner FROM account EXCEPT SELECT 3",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8) SELECT i FROM n",
            "SELECT owner, balance, RANK() OVER (PARTITION BY owner ORDER BY balance) FROM account",
            "SELECT CASE WHEN balance > 100 THEN 'high' ELSE 'low' END AS kind, balance FROM account ORDER BY kind",
            "SELECT DATEADD(DAY, 3, born), FORMATDATETIME(born, 'yyyy'), MOD(id, 7), SQRT(id) FROM customer LIMIT 5",
            "EXPLAIN SELECT * FROM account WHERE owner = 3",
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
            statement.executeUpdate("MERGE INTO customer KEY(id) VALUES(0, 'customer zero', NULL, NULL)");
            statement.execute("ALTER TABLE customer ADD COLUMN phone VARCHAR(20) DEFAULT 'x'");
            statement.executeUpdate("CREATE ALIAS reversed FOR 'H2.reversed'");
            try (ResultSet result = statement.executeQuery("SELECT reversed(name), NEXT VALUE FOR ticket FROM customer")) {
                result.next();
            }
        }
        return rows;
    }

    /** Called by the database. */
    public static String reversed(String text) {
        return new StringBuilder(text).reverse().toString();
    }

    static int mistakes(Connection connection) throws SQLException {
        int errors = 0;
        for (String text : List.of("SELEC 1", "SELECT * FROM missing", "INSERT INTO customer(id, name) VALUES(1, 'twice')",
                "UPDATE account SET balance = -5", "SELECT 1 / 0")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(text);
            } catch (SQLException expected) {
                errors++;
            }
        }
        return errors;
    }

    static void metadata(Connection connection) throws SQLException {
        DatabaseMetaData metadata = connection.getMetaData();
        try (ResultSet tables = metadata.getTables(null, "PUBLIC", "%", null)) {
            while (tables.next()) {
                tables.getString("TABLE_NAME");
            }
        }
        try (ResultSet keys = metadata.getPrimaryKeys(null, "PUBLIC", "ACCOUNT")) {
            keys.next();
        }
    }

    static int transfers(int threads, int each) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        AtomicInteger done = new AtomicInteger();
        List<Future<?>> results = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int seed = t;
            results.add(executor.submit(() -> {
                Random random = new Random(seed);
                try (Connection connection = connect()) {
                    connection.setAutoCommit(false);
                    for (int i = 0; i < each; i++) {
                        if (transfer(connection, random.nextInt(40), random.nextInt(40))) {
                            done.incrementAndGet();
                        }
                    }
                }
                return null;
            }));
        }
        for (Future<?> result : results) {
            result.get();
        }
        executor.shutdown();
        return done.get() > 0 ? 1 : 0;
    }

    static boolean transfer(Connection connection, int from, int to) throws SQLException {
        try (PreparedStatement take = connection.prepareStatement("UPDATE account SET balance = balance - 1 WHERE id = ?");
                PreparedStatement give = connection.prepareStatement("UPDATE account SET balance = balance + 1 WHERE id = ?")) {
            take.setInt(1, from + 1);
            give.setInt(1, to + 1);
            take.executeUpdate();
            give.executeUpdate();
            connection.commit();
            return true;
        } catch (SQLException conflict) {
            connection.rollback();
            return false;
        }
    }
}
