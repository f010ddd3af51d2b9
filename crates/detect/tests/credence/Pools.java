package credence;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

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

/** What is kept in a synchronized map is meant for several threads; what is in a plain one is left to callers. */
public class Pools {
    private final Map<String, KeptSource> kept = Collections.synchronizedMap(new HashMap<>());
    private final Map<String, PlainSource> plain = new HashMap<>();

    public Pools() {
        kept.put("one", new KeptSource());
        plain.put("one", new PlainSource());
    }

    public Object useKept() {
        KeptSource source = kept.get("one");
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
