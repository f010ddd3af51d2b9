import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** A bounded load on h2 at the loopback interface: PORT THREADS TRANSACTIONS. Prints how many were committed and what is in the table. */
public class LoadH2 {
    public static void main(String[] arguments) throws Exception {
        String url = "jdbc:h2:tcp://127.0.0.1:" + Integer.parseInt(arguments[0]) + "/./load";
        int transactions = Integer.parseInt(arguments[2]);
        AtomicInteger good = new AtomicInteger();
        try (Connection first = DriverManager.getConnection(url, "sa", ""); Statement statement = first.createStatement()) {
            statement.execute("drop table if exists account");
            statement.execute("create table account(id int primary key, balance bigint, note varchar(200))");
            for (int i = 0; i < 50; i++) statement.execute("insert into account values(" + i + ", 1000, 'n" + i + "')");
            statement.execute("create index by_note on account(note)");
            Thread[] threads = new Thread[Integer.parseInt(arguments[1])];
            for (int t = 0; t < threads.length; t++) {
                int number = t;
                threads[t] = new Thread(() -> transfer(url, number, transactions, good));
                threads[t].start();
            }
            for (Thread thread : threads) thread.join();
            try (ResultSet sum = statement.executeQuery("select sum(balance), count(*) from account")) {
                sum.next();
                System.out.println(good + " of " + threads.length * transactions + ", balance " + sum.getLong(1));
            }
        }
    }

    private static void transfer(String url, int number, int transactions, AtomicInteger good) {
        try (Connection connection = DriverManager.getConnection(url, "sa", "")) {
            connection.setAutoCommit(false);
            PreparedStatement change = connection.prepareStatement("update account set balance = balance + ?, note = ? where id = ?");
            PreparedStatement find = connection.prepareStatement("select count(*) from account where note like ?");
            for (int i = 0; i < transactions; i++) {
                int from = (i * 7 + number) % 50;
                int to = (i * 11 + 3) % 50;
                for (int attempt = 0; attempt < 50; attempt++) {
                    try {
                        for (int[] step : new int[][] {{Math.min(from, to), -1}, {Math.max(from, to), 1}}) {
                            change.setInt(1, step[1]);
                            change.setString(2, "n" + i);
                            change.setInt(3, step[0]);
                            change.executeUpdate();
                        }
                        find.setString(1, "n" + i % 10 + "%");
                        try (ResultSet result = find.executeQuery()) {
                            result.next();
                        }
                        connection.commit();
                        good.incrementAndGet();
                        break;
                    } catch (SQLException e) {
                        connection.rollback();
                    }
                }
            }
        } catch (SQLException e) {
            System.err.println(e);
        }
    }
}
