// selvedge: library=escape.ConstructionHelper
// A constructor registers the object too early, then sets fields by a helper: two constructions never meet on one,
// but what the helper writes after the registration races with whoever finds the object in the registry.
package escape;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

public class ConstructionHelper {
    private static final List<ConstructionHelper> REGISTRY = new CopyOnWriteArrayList<>();

    private int seen;
    private int unseen;

    public ConstructionHelper() {
        REGISTRY.add(this);
        initialize();
    }

    private void initialize() {
        seen = 1; //~ RACE
        unseen = 1; //~ NORACE: only one thread constructs an object, and nobody reads it
    }

    public static int look() {
        int sum = 0;
        for (ConstructionHelper one : REGISTRY) {
            sum += one.seen; //~ RACE
        }
        return sum;
    }
}
