package credence;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Stack;

class KeptSource {
    private boolean credibleUsed;

    Object take() {
        if (!credibleUsed) {
            credibleUsed = true;
            return new Object();
        }
        return null;
    }

    void give() {
        credibleUsed = false;
    }
}

class PlainSource {
    private boolean doubtedUsed;

    Object take() {
        if (!doubtedUsed) {
            doubtedUsed = true;
            return new Object();
        }
        return null;
    }

    void give() {
        doubtedUsed = false;
    }
}

class StackedSource {
    private boolean doubtedStacked;

    Object take() {
        if (!doubtedStacked) {
            doubtedStacked = true;
            return new Object();
        }
        return null;
    }

    void give() {
        doubtedStacked = false;
    }
}

/** What is kept in a synchronized map is meant for several threads; what is in a plain one or on a stack is left to callers. */
public class Pools {
    private final Map<String, KeptSource> kept = Collections.synchronizedMap(new HashMap<>());
    private final Map<String, PlainSource> plain = new HashMap<>();
    private final Stack<StackedSource> stacked = new Stack<>();

    public Pools() {
        kept.put("one", new KeptSource());
        plain.put("one", new PlainSource());
        stacked.push(new StackedSource());
    }

    public Object useKept() {
        KeptSource source = kept.get("one");
        Object used = source.take();
        source.give();
        return used;
    }

    public Object useStacked() {
        StackedSource source = stacked.peek();
        Object used = source.take();
        source.give();
        return used;
    }

    public Object usePlain() {
        PlainSource source = plain.get("one");
        Object used = source.take();
        source.give();
        return used;
    }
}
