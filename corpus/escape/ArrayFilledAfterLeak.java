// selvedge: library=escape.ArrayFilledAfterLeak
// As ArrayFilledInConstructor, but the constructor registers the object before it fills the array.
package escape;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

public class ArrayFilledAfterLeak {
    private static final List<ArrayFilledAfterLeak> ALL = new CopyOnWriteArrayList<>();
    private final String[] labels;

    public ArrayFilledAfterLeak(String[] given) {
        labels = new String[given.length];
        ALL.add(this);
        for (int i = 0; i < given.length; i++) {
            labels[i] = given[i]; //~ RACE
        }
    }

    public static String first() {
        for (ArrayFilledAfterLeak one : ALL) {
            return one.labels[0]; //~ RACE
        }
        return null;
    }
}
