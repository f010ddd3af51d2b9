// Producers and consumers: wait and notify, blocking queues, transfer, poison, interruption, concurrent collections.

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Queues {
    static class Monitor {
        private final Deque<String> items = new ArrayDeque<>();
        synchronized void put(String item) { items.addLast(item); notifyAll(); }
        synchronized String take() throws InterruptedException {
            while (items.isEmpty()) wait();
            return items.removeFirst();
        }
    }

    static class Consumer extends Thread {
        private final BlockingQueue<Integer> queue;
        private int total;
        Consumer(BlockingQueue<Integer> queue) { super("consumer"); this.queue = queue; }
        @Override public void run() {
            try {
                for (int item; (item = queue.take()) >= 0; ) total += item;
            } catch (InterruptedException stopped) {
                total = -1;
            }
        }
    }

    static class Task implements Comparable<Task> {
        final int priority;
        Task(int priority) { this.priority = priority; }
        @Override public int compareTo(Task other) { return Integer.compare(other.priority, priority); }
    }

    static class Node {
        volatile Node next;
        static final AtomicReferenceFieldUpdater<Node, Node> NEXT = AtomicReferenceFieldUpdater.newUpdater(Node.class, Node.class, "next");
    }

    public static void main(String[] args) throws Exception {
        Monitor monitor = new Monitor();
        Thread putter = new Thread(() -> { for (String text : List.of("a", "b", "c")) monitor.put(text); });
        putter.start();
        System.out.println(monitor.take() + monitor.take() + monitor.take());

        List<BlockingQueue<Integer>> queues = List.of(new ArrayBlockingQueue<>(2), new LinkedBlockingQueue<>(), new SynchronousQueue<>(),
            new LinkedTransferQueue<>(), new LinkedBlockingDeque<>(1));
        for (BlockingQueue<Integer> queue : queues) {
            Consumer consumer = new Consumer(queue);
            consumer.start();
            for (int i = 0; i < 10; i++) queue.put(i);
            queue.put(-1);
            consumer.join();
            System.out.print(consumer.total + " ");
        }
        Consumer interrupted = new Consumer(new SynchronousQueue<>());
        interrupted.start();
        interrupted.interrupt();
        interrupted.join();
        System.out.println(interrupted.total);

        PriorityBlockingQueue<Task> priorities = new PriorityBlockingQueue<>();
        for (int priority : new int[] {2, 9, 5}) priorities.add(new Task(priority));
        System.out.println(priorities.take().priority);

        ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();
        Thread[] counters = new Thread[3];
        for (int i = 0; i < counters.length; i++) {
            counters[i] = new Thread(() -> { for (int n = 0; n < 30; n++) counts.computeIfAbsent("k" + n % 5, key -> new LongAdder()).increment(); });
            counters[i].start();
        }
        for (Thread counter : counters) counter.join();
        System.out.println(counts.reduceValuesToLong(1, LongAdder::sum, 0, Long::sum) + " " + counts.size());
        List<String> listeners = new CopyOnWriteArrayList<>(List.of("x", "y"));
        for (String listener : listeners) listeners.add(listener + listener);
        ConcurrentSkipListMap<Integer, String> sorted = new ConcurrentSkipListMap<>(Map.of(3, "c", 1, "a"));
        AtomicInteger atomic = new AtomicInteger();
        atomic.updateAndGet(value -> value + sorted.firstKey());
        Node node = new Node();
        System.out.println(listeners + " " + sorted.pollFirstEntry().getValue() + atomic.accumulateAndGet(5, Math::max)
            + Node.NEXT.compareAndSet(node, null, new Node()));
    }
}
