// The constructor registers `this` with a running publisher before the object is complete.
package escape;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

public class LeakedThis {
    private static final List<LeakedThis> LISTENERS = new CopyOnWriteArrayList<>();
    private int threshold;

    LeakedThis(int threshold) {
        LISTENERS.add(this);
        this.threshold = threshold; //~ RACE: the publisher can see the object already
    }

    boolean accepts(int level) {
        return level > threshold; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        Thread publisher = new Thread(() -> {
            for (int i = 0; i < 10; i++) {
                for (LeakedThis listener : LISTENERS) {
                    listener.accepts(i);
                }
            }
        });
        publisher.start();
        new LeakedThis(3);
        publisher.join();
        System.out.println("published");
    }
}
