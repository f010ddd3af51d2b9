import org.h2.tools.Server;

/** The database h2 as a server on a port of the loopback interface. Ends when standard input does. */
public class ServeH2 {
    public static void main(String[] arguments) throws Exception {
        Server server = Server.createTcpServer("-tcpPort", arguments[0], "-ifNotExists", "-baseDir", arguments[1]).start();
        System.out.println("ready");
        while (System.in.read() >= 0) continue;
        server.stop();
        System.out.println("stopped");
    }
}
