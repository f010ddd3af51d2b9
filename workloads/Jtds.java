// The jTDS driver against a stand-in server in the same process, which lets everyone in and answers every request with one
// number; then the driver's parts that need no server.
// jars: jtds

import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.sql.*;
import java.util.Properties;
import net.sourceforge.jtds.jdbc.*;
import net.sourceforge.jtds.jdbcx.JtdsDataSource;
import net.sourceforge.jtds.util.*;

public class Jtds {
    public static void main(String[] args) throws Exception {
        Class.forName("net.sourceforge.jtds.jdbc.Driver");
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> serve(socket), "server");
            server.setDaemon(true);
            server.start();
            String url = "jdbc:jtds:sqlserver://127.0.0.1:" + socket.getLocalPort()
                + "/shop;TDS=7.0;charset=UTF-8;prepareSQL=0;loginTimeout=20;socketTimeout=20";
            Thread[] clients = new Thread[3];
            for (int i = 0; i < clients.length; i++) {
                clients[i] = new Thread(() -> client(url), "client-" + i);
                clients[i].start();
            }
            for (Thread client : clients) {
                client.join();
            }
            dataSource(socket.getLocalPort());
        }
        refused();
        properties();
        digests();
        values();
    }

    static void client(String url) {
        try (Connection connection = DriverManager.getConnection(url, "sa", "secret")) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT {fn now()}, {d '2020-01-02'} -- what the server makes of it")) {
                int sum = 0;
                while (rows.next()) {
                    sum += rows.getInt(1);
                    rows.getString(1);
                    rows.getBigDecimal(1);
                    rows.getObject(1);
                }
                rows.getMetaData().getColumnName(1);
                System.out.println("sum " + sum);
            }
            try (PreparedStatement statement = connection.prepareStatement("SELECT n FROM t WHERE a = ? AND b = ? AND c = ?")) {
                statement.setInt(1, 5);
                statement.setString(2, "it's");
                statement.setTimestamp(3, Timestamp.valueOf("2020-01-02 03:04:05"));
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                }
                statement.addBatch();
                statement.clearBatch();
            }
            connection.commit();
            connection.rollback();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    static void dataSource(int port) throws SQLException {
        JtdsDataSource source = new JtdsDataSource();
        source.setServerName("127.0.0.1");
        source.setPortNumber(port);
        source.setTds("7.0");
        source.setCharset("UTF-8");
        source.setUser("sa");
        source.setPassword("secret");
        source.getReference();
        javax.sql.PooledConnection pooled = source.getPooledConnection();
        try (Connection connection = pooled.getConnection(); Statement statement = connection.createStatement()) {
            System.out.println("pooled " + statement.execute("SELECT 1"));
        }
        pooled.close();
    }

    static void refused() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        try {
            DriverManager.getConnection("jdbc:jtds:sqlserver://127.0.0.1:" + port + "/shop", "sa", "");
        } catch (SQLException expected) {
            System.out.println("refused " + expected.getSQLState());
        }
    }

    static void properties() throws SQLException {
        net.sourceforge.jtds.jdbc.Driver driver = new net.sourceforge.jtds.jdbc.Driver();
        Properties properties = DefaultProperties.addDefaultProperties(new Properties());
        DriverPropertyInfo[] infos = driver.getPropertyInfo("jdbc:jtds:sybase://host:1/db;charset=UTF-8", properties);
        System.out.println("properties " + (infos.length > 10) + " " + driver.acceptsURL("jdbc:other:") + " " + driver);
    }

    static void digests() {
        MD4Digest md4 = new MD4Digest();
        MD5Digest md5 = new MD5Digest();
        byte[] text = "some text to digest".getBytes(StandardCharsets.US_ASCII);
        md4.update(text, 0, text.length);
        md5.update(text, 0, text.length);
        byte[] out = new byte[16];
        md4.doFinal(out, 0);
        String first = Support.toHex(out);
        md5.doFinal(out, 0);
        byte[] block = new byte[8];
        new DESEngine(true, "12345678".getBytes(StandardCharsets.US_ASCII)).processBlock("abcdefgh".getBytes(StandardCharsets.US_ASCII), 0, block, 0);
        System.out.println(first + " " + Support.toHex(out) + " " + Support.toHex(block));
    }

    static void values() throws Exception {
        BlobBuffer buffer = new BlobBuffer(new File("."), 1024);
        buffer.setBuffer("0123456789".getBytes(StandardCharsets.US_ASCII), true);
        try (InputStream in = buffer.getBinaryStream(false); OutputStream out = buffer.setBinaryStream(11, false)) {
            out.write(in.read());
        }
        System.out.println("blob " + buffer.getBytes(1, 11).length + " " + new UniqueIdentifier(new byte[16]));
        SQLException outer = new SQLException("outer");
        Support.linkException(outer, new IOException("inner"));
        Logger.setLogWriter(new PrintWriter(Writer.nullWriter()));
        Logger.logException(outer);
    }

    static void serve(ServerSocket socket) {
        while (true) {
            try {
                Socket client = socket.accept();
                Thread thread = new Thread(() -> talk(client));
                thread.setDaemon(true);
                thread.start();
            } catch (IOException closed) {
                return;
            }
        }
    }

    /** Answers packets of the protocol: 8 bytes of header, of which the first is the kind and the second the last mark. */
    static void talk(Socket client) {
        try (client; DataInputStream in = new DataInputStream(client.getInputStream()); OutputStream out = client.getOutputStream()) {
            while (true) {
                int kind = in.readUnsignedByte();
                int last = in.readUnsignedByte();
                int length = in.readUnsignedShort();
                in.readInt();
                in.readFully(new byte[length - 8]);
                if (last == 0) {
                    continue;
                }
                ByteArrayOutputStream body = new ByteArrayOutputStream();
                if (kind == 16) {
                    welcome(body);
                } else {
                    oneNumber(body);
                }
                body.write(new byte[] {(byte) 0xfd, 0, 0, 0, 0, 1, 0, 0, 0});
                byte[] bytes = body.toByteArray();
                int size = bytes.length + 8;
                out.write(new byte[] {4, 1, (byte) (size >> 8), (byte) size, 0, 0, 1, 0});
                out.write(bytes);
                out.flush();
            }
        } catch (IOException gone) {
            // The client closed the connection.
        }
    }

    static void welcome(ByteArrayOutputStream body) throws IOException {
        byte[] name = "Stand-in".getBytes(StandardCharsets.UTF_16LE);
        int length = 1 + 4 + 1 + name.length + 4;
        body.write(new byte[] {(byte) 0xad, (byte) length, 0, 1, 7, 0, 0, 0, (byte) (name.length / 2)});
        body.write(name);
        body.write(new byte[] {8, 0, 0, 1});
    }

    static void oneNumber(ByteArrayOutputStream body) throws IOException {
        body.write(new byte[] {(byte) 0x81, 1, 0, 0, 0, 1, 0, 0x26, 4, 1, 'n', 0});
        body.write(new byte[] {(byte) 0xd1, 4, 38, 0, 0, 0});
    }
}
