/** Producers and consumers over a bounded buffer with wait and notifyAll. */
public class BoundedBuffer {
    private final int[] items = new int[3];
    private int head, size;

    synchronized void put(int item) throws InterruptedException {
        while (size == items.length) wait();
        items[(head + size++) % items.length] = item;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        while (size == 0) wait();
        int item = items[head];
        head = (head + 1) % items.length;
        size--;
        notifyAll();
        return item;
    }

    public static void main(String[] args) throws Exception {
        BoundedBuffer buffer = new BoundedBuffer();
        int producers = 3, each = 15;
        Thread[] ps = new Thread[producers];
        for (int p = 0; p < producers; p++) {
            int base = p * 1000;
            ps[p] = new Thread(() -> {
                try {
                    for (int i = 0; i < each; i++) buffer.put(base + i);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        long[] sums = new long[2];
        int[] counts = new int[2];
        Thread[] cs = new Thread[2];
        for (int c = 0; c < 2; c++) {
            int me = c;
            cs[c] = new Thread(() -> {
                int[] last = {-1, -1, -1};
                try {
                    for (int item; (item = buffer.take()) >= 0; counts[me]++) {
                        sums[me] += item;
                        if (item % 1000 <= last[item / 1000]) System.out.println("order broken");
                        last[item / 1000] = item % 1000;
                    }
                } catch (InterruptedException e) {
                    System.out.println("unexpected");
                }
            });
            cs[c].start();
        }
        for (Thread p : ps) p.start();
        for (Thread p : ps) p.join();
        buffer.put(-1);
        buffer.put(-1);
        for (Thread c : cs) c.join();
        System.out.println((sums[0] + sums[1]) + " " + (counts[0] + counts[1]) + " " + buffer.size);
    }
}
