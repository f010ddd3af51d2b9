// As ThreadPerRequestServer, but a session that takes long is handed to the pool a second time: two threads may run it.
package threads;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class SessionStartedTwice {
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final Map<Integer, Session> sessions = new ConcurrentHashMap<>();

    private final class Session implements Runnable {
        private final int number;
        private int state;

        Session(int number) {
            this.number = number;
        }

        @Override
        public void run() {
            state++; //~ RACE
            sessions.remove(number);
        }
    }

    private void accept(int number) {
        Session session = new Session(number);
        sessions.put(number, session);
        workers.execute(session);
        if (sessions.containsKey(number)) {
            workers.execute(session);
        }
    }

    public static void main(String[] args) {
        SessionStartedTwice server = new SessionStartedTwice();
        for (int i = 0; i < 5; i++) {
            server.accept(i);
        }
        server.workers.shutdown();
    }
}
