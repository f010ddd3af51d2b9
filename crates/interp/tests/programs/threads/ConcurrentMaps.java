import java.util.*;
import java.util.concurrent.*;

/** Concurrent collections under contention: maps, queues, copy-on-write lists, skip lists. */
public class ConcurrentMaps {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        CopyOnWriteArrayList<String> list = new CopyOnWriteArrayList<>();
        ConcurrentSkipListMap<Integer, String> skip = new ConcurrentSkipListMap<>();
        ConcurrentHashMap<Integer, Integer> growing = new ConcurrentHashMap<>(2);
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 20; i++) {
                    counts.merge("k" + i % 4, 1, Integer::sum);
                    counts.computeIfAbsent("only" + i % 2, k -> 100);
                    queue.add(me * 100 + i);
                    if (i % 8 == 0) list.add("t" + me);
                    skip.put(i * 3 + me, "s" + me);
                    growing.put(me * 1000 + i, i);
                }
            });
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println(new TreeMap<>(counts));
        long sum = 0;
        for (Integer v; (v = queue.poll()) != null; ) sum += v;
        Collections.sort(list);
        System.out.println(sum + " " + list + " " + skip.size() + " " + skip.firstKey() + " " + skip.headMap(5));
        int total = 0;
        for (Map.Entry<Integer, Integer> e : growing.entrySet()) total += e.getKey() % 1000 - e.getValue();
        System.out.println(growing.size() + " " + total + " " + growing.get(1005) + " " + growing.putIfAbsent(1005, 0) + growing.remove(1005));
        for (String s : list) if (s.equals("t0")) list.remove(s);
        System.out.println(list + " " + counts.getOrDefault("none", -1) + counts.containsKey("k1") + counts.replace("k1", 9));
        BlockingQueue<Integer> blocking = new ArrayBlockingQueue<>(2);
        LinkedBlockingQueue<Integer> results = new LinkedBlockingQueue<>();
        Thread consumer = new Thread(() -> {
            try {
                for (int v; (v = blocking.take()) >= 0; ) results.put(v * v);
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        });
        consumer.start();
        for (int i = 0; i < 8; i++) blocking.put(i);
        blocking.put(-1);
        consumer.join();
        System.out.println(results + " " + blocking.poll(1, TimeUnit.MILLISECONDS));
    }
}
