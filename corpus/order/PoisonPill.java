// Producer and consumer with a queue and a pill that ends the work: the totals are the consumer's until it has ended.
package order;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class PoisonPill {
    private static final Integer PILL = -1;

    public static void main(String[] args) throws Exception {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(4);
        List<Integer> seen = new ArrayList<>();
        Thread consumer = new Thread(() -> {
            try {
                for (Integer item = queue.take(); !item.equals(PILL); item = queue.take()) {
                    seen.add(item); //~ NORACE: the consumer's own until it has ended
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        consumer.start();
        for (int i = 0; i < 10; i++) {
            queue.put(i);
        }
        queue.put(PILL);
        consumer.join();
        System.out.println(seen.size()); //~ NORACE: after the join
    }
}
