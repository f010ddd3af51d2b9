// A meta search engine: tasks run in a pool, main cancels the slow ones. The task's thread and validity, and the size
// of the pool, are touched without a common lock.
package papers;

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;

public class HedcShape {
    static class Task implements Runnable {
        private Thread thread;
        private boolean valid = true;
        private int hits;

        @Override
        public void run() {
            thread = Thread.currentThread(); //~ RACE
            for (int i = 0; i < 20 && valid; i++) { //~ RACE
                hits++; //~ RACE spurious: the running worker's own; the hand-over through the queue is not followed
            }
        }

        void cancel() {
            valid = false; //~ RACE
            Thread running = thread; //~ RACE
            if (running != null) {
                running.isInterrupted();
            }
        }
    }

    static class Pool {
        private final LinkedList<Task> queue = new LinkedList<>();
        private final List<Thread> workers = new ArrayList<>();
        private int size;
        private boolean closed;

        synchronized void execute(Task task) {
            queue.add(task); //~ NORACE: guarded by the pool
            if (size < 2) { //~ NORACE: all writes hold the pool's lock
                size++; //~ RACE
                Thread worker = new Thread(this::work);
                workers.add(worker); //~ NORACE: guarded by the pool
                worker.start();
            }
            notifyAll();
        }

        private synchronized Task next() throws InterruptedException {
            while (queue.isEmpty() && !closed) { //~ NORACE: guarded by the pool
                wait();
            }
            return queue.poll(); //~ NORACE: guarded by the pool
        }

        private void work() {
            try {
                for (Task task = next(); task != null; task = next()) {
                    task.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                synchronized (this) {
                    size--; //~ RACE
                }
            }
        }

        int size() {
            return size; //~ RACE: the pool's lock is not held
        }

        synchronized void close() {
            closed = true; //~ NORACE: guarded by the pool
            notifyAll();
        }
    }

    public static void main(String[] args) {
        Pool pool = new Pool();
        new Thread(pool::size, "monitor").start();
        Task[] tasks = {new Task(), new Task(), new Task()};
        for (Task task : tasks) {
            pool.execute(task);
        }
        for (Task task : tasks) {
            task.cancel();
        }
        pool.close();
    }
}
