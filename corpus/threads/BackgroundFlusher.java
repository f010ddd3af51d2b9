// A writer with a background flusher: lines are collected under a lock, swapped out and written outside of it.
package threads;

import java.util.ArrayList;
import java.util.List;

public class BackgroundFlusher implements Runnable {
    private final Object lock = new Object();
    private List<String> lines = new ArrayList<>();
    private boolean closed;
    private int written;

    void write(String line) {
        synchronized (lock) {
            lines.add(line); //~ RACE spurious: guarded by lock
            lock.notifyAll();
        }
    }

    @Override
    public void run() {
        while (true) {
            List<String> batch;
            synchronized (lock) {
                while (lines.isEmpty() && !closed) { //~ NORACE: guarded by lock
                    try {
                        lock.wait();
                    } catch (InterruptedException stopped) {
                        return;
                    }
                }
                if (lines.isEmpty()) { //~ NORACE: guarded by lock
                    return;
                }
                batch = lines; //~ NORACE: guarded by lock
                lines = new ArrayList<>(); //~ NORACE: guarded by lock
            }
            for (String line : batch) { //~ RACE spurious: swapped out, nobody else has it any more
                written += line.length(); //~ NORACE: the flusher's own
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        BackgroundFlusher flusher = new BackgroundFlusher();
        Thread thread = new Thread(flusher);
        thread.setDaemon(true);
        thread.start();
        for (int i = 0; i < 10; i++) {
            flusher.write("line " + i);
        }
        synchronized (flusher.lock) {
            flusher.closed = true; //~ NORACE: guarded by lock
            flusher.lock.notifyAll();
        }
        thread.join();
        System.out.println(flusher.written); //~ NORACE: after the join
    }
}
