import java.util.Arrays;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** A large graph as arrays of edges: ranks of pages, distances from a node, connected parts, triangles; two threads. */
public class Graph {
    private final int nodes;
    private final int[] first;
    private final int[] targets;

    Graph(int nodes, int perNode) {
        this.nodes = nodes;
        int[] from = new int[nodes * perNode];
        int[] to = new int[nodes * perNode];
        long seed = 7;
        int[] degrees = new int[nodes + 1];
        for (int i = 0; i < from.length; i++) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            from[i] = (int) ((seed >>> 33) % nodes);
            double skew = (seed >>> 11 & 0xffff) / 65536.0;
            to[i] = (int) (skew * skew * skew * nodes);
            degrees[from[i]]++;
            degrees[to[i]]++;
        }
        first = new int[nodes + 1];
        for (int i = 0; i < nodes; i++) first[i + 1] = first[i] + degrees[i];
        int[] next = first.clone();
        targets = new int[2 * from.length];
        for (int i = 0; i < from.length; i++) {
            targets[next[from[i]]++] = to[i];
            targets[next[to[i]]++] = from[i];
        }
        for (int i = 0; i < nodes; i++) Arrays.sort(targets, first[i], first[i + 1]);
    }

    interface Part {
        void run(int worker, CyclicBarrier barrier) throws InterruptedException, BrokenBarrierException;
    }

    private static void byTwo(Part part) throws InterruptedException {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Thread[] threads = new Thread[2];
        for (int t = 0; t < 2; t++) {
            int worker = t;
            threads[t] = new Thread(() -> {
                try {
                    part.run(worker, barrier);
                } catch (InterruptedException | BrokenBarrierException failure) {
                    throw new IllegalStateException(failure);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
    }

    double[] ranks(int rounds) throws InterruptedException {
        double[][] ranks = {new double[nodes], new double[nodes]};
        Arrays.fill(ranks[0], 1.0 / nodes);
        byTwo((worker, barrier) -> {
            for (int round = 0; round < rounds; round++) {
                double[] from = ranks[round % 2];
                double[] into = ranks[1 - round % 2];
                for (int node = nodes / 2 * worker; node < nodes / 2 * (worker + 1); node++) {
                    double sum = 0;
                    for (int edge = first[node]; edge < first[node + 1]; edge++) {
                        int other = targets[edge];
                        sum += from[other] / (first[other + 1] - first[other]);
                    }
                    into[node] = 0.15 / nodes + 0.85 * sum;
                }
                barrier.await();
            }
        });
        return ranks[rounds % 2];
    }

    /** Breadth first, level by level: both threads take pieces of the frontier. */
    long distances(int start) throws InterruptedException {
        AtomicIntegerArray distance = new AtomicIntegerArray(nodes);
        int[][] frontiers = {new int[nodes], new int[nodes]};
        int[] sizes = {1, 0};
        frontiers[0][0] = start;
        distance.set(start, 1);
        AtomicInteger taken = new AtomicInteger();
        AtomicInteger found = new AtomicInteger();
        byTwo((worker, barrier) -> {
            for (int level = 0; sizes[level % 2] > 0; level++) {
                int[] now = frontiers[level % 2];
                int[] next = frontiers[1 - level % 2];
                int size = sizes[level % 2];
                for (int at = taken.getAndAdd(64); at < size; at = taken.getAndAdd(64)) {
                    for (int i = at; i < Math.min(at + 64, size); i++) {
                        for (int edge = first[now[i]]; edge < first[now[i] + 1]; edge++) {
                            int other = targets[edge];
                            if (distance.get(other) == 0 && distance.compareAndSet(other, 0, level + 2)) {
                                next[found.getAndIncrement()] = other;
                            }
                        }
                    }
                }
                barrier.await();
                if (worker == 0) {
                    sizes[1 - level % 2] = found.getAndSet(0);
                    taken.set(0);
                }
                barrier.await();
            }
        });
        long sum = 0;
        for (int i = 0; i < nodes; i++) sum += distance.get(i);
        return sum;
    }

    int[] components() {
        int[] parent = new int[nodes];
        for (int i = 0; i < nodes; i++) parent[i] = i;
        for (int node = 0; node < nodes; node++) {
            for (int edge = first[node]; edge < first[node + 1]; edge++) {
                int a = root(parent, node);
                int b = root(parent, targets[edge]);
                if (a != b) parent[Math.max(a, b)] = Math.min(a, b);
            }
        }
        for (int i = 0; i < nodes; i++) parent[i] = root(parent, i);
        return parent;
    }

    private static int root(int[] parent, int node) {
        while (parent[node] != node) {
            parent[node] = parent[parent[node]];
            node = parent[node];
        }
        return node;
    }

    long triangles() throws InterruptedException {
        long[] counts = new long[2];
        byTwo((worker, barrier) -> {
            long count = 0;
            for (int node = worker; node < nodes; node += 2) {
                if (first[node + 1] - first[node] > 200) continue;
                for (int edge = first[node]; edge < first[node + 1]; edge++) {
                    int other = targets[edge];
                    if (other <= node || first[other + 1] - first[other] > 200) continue;
                    int i = first[node];
                    int j = first[other];
                    while (i < first[node + 1] && j < first[other + 1]) {
                        if (targets[i] == targets[j]) {
                            count += targets[i] > other ? 1 : 0;
                            i++;
                            j++;
                        } else if (targets[i] < targets[j]) {
                            i++;
                        } else {
                            j++;
                        }
                    }
                }
            }
            counts[worker] = count;
        });
        return counts[0] + counts[1];
    }

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        Graph graph = new Graph(60_000, 6);
        double[] ranks = graph.ranks(rounds);
        double best = 0;
        for (double rank : ranks) best = Math.max(best, rank);
        System.out.printf("%.9f%n", best);
        for (int start = 0; start < rounds / 5; start++) System.out.println(graph.distances(start * 1000));
        System.out.println(Arrays.hashCode(graph.components()) + " " + graph.triangles());
    }
}
