// An in-memory H2 database: two threads change accounts of their own, each in transactions, and ask about all of them.
// jars: h2

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

public class H2 {
    static final String URL = "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1";
    static final int ACCOUNTS = 1000;

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        try (Connection connection = DriverManager.getConnection(URL, "sa", ""); Statement statement = connection.createStatement()) {
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
            statement.execute("SHUTDOWN");
        }
    }

    static void fill(Connection connection) throws SQLException {
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
    }

    static void work(int part, int rounds) {
        Random random = new Random(part);
        try (Connection connection = DriverManager.getConnection(URL, "sa", "");
                PreparedStatement add = connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?");
                PreparedStatement join = connection.prepareStatement("SELECT o.name, SUM(a.balance) FROM owner o "
                    + "JOIN account a ON a.owner = o.id WHERE o.id BETWEEN ? AND ? GROUP BY o.name ORDER BY 2 DESC")) {
            connection.setAutoCommit(false);
            for (int i = 0; i < rounds; i++) {
                for (int change : new int[] {-1, 1}) {
                    add.setInt(1, change);
                    add.setInt(2, random.nextInt(ACCOUNTS / 2) * 2 + part);
                    add.executeUpdate();
                }
                connection.commit();
                if (i % 10 == 0) {
                    int from = random.nextInt(80);
                    join.setInt(1, from);
                    join.setInt(2, from + 20);
                    try (ResultSet rows = join.executeQuery()) {
                        while (rows.next()) rows.getString(1);
                    }
                    connection.commit();
                }
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
