// selvedge: library=escape.ArrayFilledInConstructor
// A constructor makes an array and a map, keeps them in final fields and fills them there, through the fields. Nobody
// else knows them before it returns.
package escape;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

public class ArrayFilledInConstructor {
    private final Window window;
    private final Map<String, Integer> sizes;
    private final String[] labels;

    public ArrayFilledInConstructor(String[] given) {
        window = new Window(16);
        sizes = new HashMap<>();
        sizes.put("small", 1); //~ NORACE: nobody knows the map yet
        sizes.put("large", 10); //~ NORACE: nobody knows the map yet
        labels = new String[given.length];
        System.arraycopy(given, 0, labels, 0, given.length); //~ NORACE: nobody knows the array yet
    }

    public long mean() {
        return window.mean();
    }

    public void add(long value) {
        window.add(value);
    }

    public Integer size(String name) {
        return sizes.get(name); //~ NORACE: read only since the constructor
    }

    public String label(int index) {
        return labels[index]; //~ NORACE: read only since the constructor
    }

    private static class Window {
        private final AtomicLong[] values;
        private int index;

        Window(int size) {
            values = new AtomicLong[size];
            for (int i = 0; i < size; i++) {
                values[i] = new AtomicLong(-1); //~ NORACE: nobody knows the array yet
            }
        }

        synchronized void add(long value) {
            values[index].set(value); //~ NORACE: elements are written by the constructor only
            index = (index + 1) % values.length; //~ NORACE: guarded by this
        }

        long mean() {
            long sum = 0;
            for (AtomicLong value : values) {
                sum += value.get(); //~ NORACE: elements are written by the constructor only
            }
            return sum / values.length;
        }
    }
}
