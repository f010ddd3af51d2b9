// An FTP server: the control thread closes a connection's writer while the request handler uses it, and the statistics
// have no lock at all. The list of connections is locked.
package papers;

import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

public class FtpShape {
    static class Statistics {
        private int uploads;
        private long bytes;

        void upload(int size) {
            uploads++; //~ RACE
            bytes += size; //~ RACE
        }
    }

    static class RequestHandler extends Thread {
        private final Statistics statistics;
        private Writer out = new StringWriter(); //~ NORACE: the stream is made by the constructor
        private boolean closed;

        RequestHandler(Statistics statistics) {
            this.statistics = statistics;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < 5 && !closed; i++) { //~ RACE
                    Writer writer = out; //~ RACE
                    if (writer != null) {
                        writer.write("226 ok"); //~ NORACE: StringWriter writes to a StringBuffer, which locks
                    }
                    statistics.upload(10);
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        void close() {
            closed = true; //~ RACE
            out = null; //~ RACE
        }
    }

    static class Server {
        private final List<RequestHandler> handlers = new ArrayList<>();

        synchronized void add(RequestHandler handler) {
            handlers.add(handler); //~ NORACE: guarded by the server
            handler.start();
        }

        synchronized void closeAll() {
            for (RequestHandler handler : handlers) { //~ NORACE: guarded by the server
                handler.close();
            }
        }
    }

    public static void main(String[] args) {
        Statistics statistics = new Statistics();
        Server server = new Server();
        server.add(new RequestHandler(statistics));
        server.add(new RequestHandler(statistics));
        server.closeAll();
    }
}
