// The twin with a factory method: the listener is registered when it is complete.
package escape;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

public class RegisteredAfterConstruction {
    private static final List<RegisteredAfterConstruction> LISTENERS = new CopyOnWriteArrayList<>();
    private int threshold;

    private RegisteredAfterConstruction(int threshold) {
        this.threshold = threshold; //~ NORACE: nobody else has the object yet
    }

    static void register(int threshold) {
        LISTENERS.add(new RegisteredAfterConstruction(threshold)); //~ NORACE: safe publication by the list
    }

    boolean accepts(int level) {
        return level > threshold; //~ NORACE: written before the object was added
    }

    public static void main(String[] args) throws Exception {
        Thread publisher = new Thread(() -> {
            for (int i = 0; i < 10; i++) {
                for (RegisteredAfterConstruction listener : LISTENERS) {
                    listener.accepts(i);
                }
            }
        });
        publisher.start();
        register(3);
        publisher.join();
        System.out.println("published");
    }
}
