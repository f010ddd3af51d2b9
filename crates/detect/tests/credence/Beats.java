package credence;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** An object whose constructor starts the one task that works on it. */
public class Beats {
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
    private int doubtedBeats;
    private int credibleBeats;

    public Beats() {
        clock.scheduleAtFixedRate(this::beat, 1, 1, TimeUnit.SECONDS);
    }

    private void beat() {
        if (++doubtedBeats > 10) {
            doubtedBeats = 0;
        }
        credibleBeats++;
    }

    public synchronized boolean isAlive() {
        return credibleBeats > 0;
    }
}
