// An embedded in-memory Derby database: two threads change accounts of their own and ask about some of all.
// jars: derby

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

public class Derby {
    static final String URL = "jdbc:derby:memory:shop";
    static final int ACCOUNTS = 1000;

    /** Where Derby's log goes; found by name. */
    public static java.io.OutputStream discard() {
        return java.io.OutputStream.nullOutputStream();
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("derby.stream.error.method", "Derby.discard");
        int rounds = Integer.parseInt(args[0]);
        try (Connection connection = DriverManager.getConnection(URL + ";create=true"); Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE owner(id INT PRIMARY KEY, name VARCHAR(40))");
            statement.execute("CREATE TABLE account(id INT PRIMARY KEY, owner INT, balance INT)");
            statement.execute("CREATE INDEX account_owner ON account(owner)");
            fill(connection);
            Thread[] threads = new Thread[2];
            for (int t = 0; t < threads.length; t++) {
                int part = t;
                threads[t] = new Thread(() -> work(part, rounds));
                threads[t].start();
            }
            for (Thread thread : threads) thread.join();
            try (ResultSet rows = statement.executeQuery("SELECT SUM(balance), COUNT(*) FROM account")) {
                rows.next();
                System.out.println("total " + rows.getLong(1) + " in " + rows.getInt(2));
            }
        }
        try {
            DriverManager.getConnection("jdbc:derby:;shutdown=true");
        } catch (SQLException expected) {
            System.out.println("down " + expected.getSQLState());
        }
    }

    static void fill(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement owners = connection.prepareStatement("INSERT INTO owner VALUES(?, ?)");
                PreparedStatement accounts = connection.prepareStatement("INSERT INTO account VALUES(?, ?, 100)")) {
            for (int i = 0; i < ACCOUNTS; i++) {
                if (i % 10 == 0) {
                    owners.setInt(1, i / 10);
                    owners.setString(2, "owner " + i / 10);
                    owners.executeUpdate();
                }
                accounts.setInt(1, i);
                accounts.setInt(2, i / 10);
                accounts.executeUpdate();
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    static void work(int part, int rounds) {
        Random random = new Random(part);
        // Each statement is a transaction: with one lock at a time nobody waits for long.
        try (Connection connection = DriverManager.getConnection(URL);
                PreparedStatement add = connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?");
                PreparedStatement join = connection.prepareStatement("SELECT o.name, a.balance FROM owner o "
                    + "JOIN account a ON a.owner = o.id WHERE o.id = ? ORDER BY 2 DESC")) {
            for (int i = 0; i < rounds; i++) {
                for (int change : new int[] {-1, 1}) {
                    add.setInt(1, change);
                    add.setInt(2, random.nextInt(ACCOUNTS / 2) * 2 + part);
                    add.executeUpdate();
                }
                if (i % 10 == 0) {
                    join.setInt(1, random.nextInt(ACCOUNTS / 10));
                    try (ResultSet rows = join.executeQuery()) {
                        while (rows.next()) rows.getString(1);
                    }
                }
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
