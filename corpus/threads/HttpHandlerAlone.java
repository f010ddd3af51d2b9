// Without an executor the HTTP server of the JDK runs all handlers in the one thread that takes
// requests.
package threads;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

public class HttpHandlerAlone {
    static class Counting implements HttpHandler {
        private int hits;

        @Override
        public void handle(HttpExchange exchange) throws IOException {
            hits++; //~ NORACE: one thread runs all handlers
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", new Counting());
        server.start();
        server.stop(0);
    }
}
