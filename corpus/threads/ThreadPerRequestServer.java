// A server in small: an acceptor loop hands each connection to a pool; sessions have state of their own; statistics
// are atomic; stop is a volatile flag.
package threads;

import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

public class ThreadPerRequestServer {
    private final BlockingQueue<String> arrivals = new LinkedBlockingQueue<>();
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final Map<Integer, Session> sessions = new ConcurrentHashMap<>();
    private final LongAdder served = new LongAdder();
    private volatile boolean stopping;
    private int accepted;

    private final class Session implements Runnable {
        private final int number;
        private final String request;
        private String answer;
        private int state;

        Session(int number, String request) {
            this.number = number;
            this.request = request;
        }

        @Override
        public void run() {
            state = 1; //~ NORACE: one thread runs a session
            answer = request.toUpperCase(); //~ NORACE: one thread runs a session
            state = answer.isEmpty() ? 3 : 2; //~ NORACE: one thread runs a session
            served.increment();
            sessions.remove(number);
        }
    }

    private void accept() {
        try {
            while (!stopping) { //~ NORACE: volatile
                String request = arrivals.poll(1, TimeUnit.MILLISECONDS);
                if (request != null) {
                    Session session = new Session(accepted++, request); //~ NORACE: only the acceptor counts
                    sessions.put(session.number, session);
                    workers.execute(session);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            workers.shutdown();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ThreadPerRequestServer server = new ThreadPerRequestServer();
        Thread acceptor = new Thread(server::accept, "acceptor");
        acceptor.start();
        for (int i = 0; i < 5; i++) {
            server.arrivals.put("request " + i);
        }
        server.stopping = true; //~ NORACE: volatile
        acceptor.join();
        System.out.println(server.accepted >= 0); //~ NORACE: after the join
    }
}
