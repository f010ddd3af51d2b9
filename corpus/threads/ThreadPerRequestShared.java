// As ThreadPerRequestServer, but the sessions count in a plain field and a monitor thread reads their state.
package threads;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class ThreadPerRequestShared {
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final Map<Integer, Session> sessions = new ConcurrentHashMap<>();
    private int served;

    private final class Session implements Runnable {
        private int state;

        @Override
        public void run() {
            state = 1; //~ RACE
            served++; //~ RACE
            state = 2; //~ RACE
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ThreadPerRequestShared server = new ThreadPerRequestShared();
        for (int i = 0; i < 5; i++) {
            Session session = server.new Session();
            server.sessions.put(i, session);
            server.workers.execute(session);
        }
        Thread monitor = new Thread(() -> {
            int running = 0;
            for (Session session : server.sessions.values()) {
                running += session.state == 1 ? 1 : 0; //~ RACE
            }
            System.out.println(running >= 0);
        });
        monitor.start();
        monitor.join();
        server.workers.shutdown();
    }
}
