import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Searches trees whose shape nobody knows beforehand: two workers with a queue each, which steal from each other. */
public class Stealing {
    abstract static class Task {
        abstract void run(Worker worker);
    }

    /** The queue of Chase and Lev, of a fixed size. */
    static final class Queue {
        private final AtomicReferenceArray<Task> tasks = new AtomicReferenceArray<>(1 << 12);
        private final AtomicLong top = new AtomicLong();
        private final AtomicLong bottom = new AtomicLong();

        boolean push(Task task) {
            long at = bottom.get();
            if (at - top.get() >= tasks.length()) return false;
            tasks.set((int) at & tasks.length() - 1, task);
            bottom.set(at + 1);
            return true;
        }

        Task pop() {
            long at = bottom.get() - 1;
            bottom.set(at);
            long first = top.get();
            if (at < first) {
                bottom.set(first);
                return null;
            }
            Task task = tasks.get((int) at & tasks.length() - 1);
            if (at > first) return task;
            if (!top.compareAndSet(first, first + 1)) task = null;
            bottom.set(first + 1);
            return task;
        }

        Task steal() {
            long first = top.get();
            if (first >= bottom.get()) return null;
            Task task = tasks.get((int) first & tasks.length() - 1);
            return top.compareAndSet(first, first + 1) ? task : null;
        }
    }

    static final class Worker extends Thread {
        final Queue queue = new Queue();
        private final Worker[] all;
        private final AtomicInteger open;
        long solutions;
        long nodes;
        int deepest;

        Worker(Worker[] all, AtomicInteger open) {
            this.all = all;
            this.open = open;
        }

        void spawn(Task task) {
            open.incrementAndGet();
            if (!queue.push(task)) {
                task.run(this);
                open.decrementAndGet();
            }
        }

        @Override
        public void run() {
            while (open.get() > 0) {
                Task task = queue.pop();
                for (int i = 0; task == null && i < all.length; i++) {
                    if (all[i] != this) task = all[i].queue.steal();
                }
                if (task == null) {
                    Thread.onSpinWait();
                    continue;
                }
                task.run(this);
                open.decrementAndGet();
            }
        }
    }

    /** Queens on a board, as an array of columns; tasks down to a depth, recursion below. */
    static final class Queens extends Task {
        private final int size;
        private final int[] columns;
        private final int row;

        Queens(int size, int[] columns, int row) {
            this.size = size;
            this.columns = columns;
            this.row = row;
        }

        private static boolean fits(int[] columns, int row, int column) {
            for (int above = 0; above < row; above++) {
                int distance = columns[above] - column;
                if (distance == 0 || distance == row - above || distance == above - row) return false;
            }
            return true;
        }

        @Override
        void run(Worker worker) {
            if (row > 3) {
                search(worker, columns, row);
                return;
            }
            for (int column = 0; column < size; column++) {
                if (!fits(columns, row, column)) continue;
                int[] more = columns.clone();
                more[row] = column;
                worker.spawn(new Queens(size, more, row + 1));
            }
        }

        private void search(Worker worker, int[] board, int at) {
            worker.nodes++;
            if (at == size) {
                worker.solutions++;
                return;
            }
            for (int column = 0; column < size; column++) {
                if (fits(board, at, column)) {
                    board[at] = column;
                    search(worker, board, at + 1);
                }
            }
        }
    }

    /** A tree in which the number of children is drawn from a hash of the way to the node. */
    static final class Unbalanced extends Task {
        private final long state;
        private final int depth;

        Unbalanced(long state, int depth) {
            this.state = state;
            this.depth = depth;
        }

        private static long mix(long z) {
            z = (z ^ z >>> 33) * 0xff51afd7ed558ccdL;
            z = (z ^ z >>> 29) * 0xc4ceb9fe1a85ec53L;
            return z ^ z >>> 32;
        }

        @Override
        void run(Worker worker) {
            worker.nodes++;
            worker.deepest = Math.max(worker.deepest, depth);
            int children = depth == 0 ? 2000 : (mix(state) & 1023) < 248 ? 4 : 0;
            for (int i = 0; i < children; i++) worker.spawn(new Unbalanced(mix(state + i * 0x9e3779b97f4a7c15L + 1), depth + 1));
        }
    }

    private static void search(String name, Task root) throws InterruptedException {
        AtomicInteger open = new AtomicInteger();
        Worker[] workers = new Worker[2];
        for (int i = 0; i < workers.length; i++) workers[i] = new Worker(workers, open);
        workers[0].spawn(root);
        for (Worker worker : workers) worker.start();
        long nodes = 0;
        long solutions = 0;
        int deepest = 0;
        for (Worker worker : workers) {
            worker.join();
            nodes += worker.nodes;
            solutions += worker.solutions;
            deepest = Math.max(deepest, worker.deepest);
        }
        System.out.println(name + " " + nodes + " " + solutions + " " + deepest);
    }

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        for (int round = 0; round < rounds; round++) {
            search("queens", new Queens(11, new int[11], 0));
            search("unbalanced", new Unbalanced(41 + round, 0));
        }
    }
}
