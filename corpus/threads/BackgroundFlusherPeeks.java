// As BackgroundFlusher, but the batch is not swapped out: the flusher goes through the list that others still add to.
package threads;

import java.util.ArrayList;
import java.util.List;

public class BackgroundFlusherPeeks implements Runnable {
    private final Object lock = new Object();
    private final List<String> lines = new ArrayList<>();
    private int written;

    void write(String line) {
        synchronized (lock) {
            lines.add(line); //~ RACE
        }
    }

    @Override
    public void run() {
        List<String> batch;
        synchronized (lock) {
            batch = lines;
        }
        for (int i = 0; i < batch.size(); i++) { //~ RACE
            written += batch.get(i).length(); //~ RACE
        }
    }

    public static void main(String[] args) throws InterruptedException {
        BackgroundFlusherPeeks flusher = new BackgroundFlusherPeeks();
        Thread thread = new Thread(flusher);
        thread.start();
        for (int i = 0; i < 10; i++) {
            flusher.write("line " + i);
        }
        thread.join();
        System.out.println(flusher.written >= 0); //~ NORACE: after the join
    }
}
