// The HTTP server of the JDK hands each request to its executor: with a pool one handler runs in
// several threads at once.
package threads;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

public class HttpHandlerInPool {
    static class Counting implements HttpHandler {
        private final AtomicInteger counted = new AtomicInteger();
        private int hits;

        @Override
        public void handle(HttpExchange exchange) throws IOException {
            hits++; //~ RACE
            counted.incrementAndGet(); //~ NORACE: atomic
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        server.createContext("/", new Counting());
        server.setExecutor(pool);
        server.start();
        server.stop(0);
        pool.shutdown();
    }
}
