package credence;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

class Handler implements Door {
    private int doubtedState;

    @Override
    public void knock() {
        doubtedState++;
    }

    @Override
    public boolean isWorn() {
        return doubtedState > 3;
    }
}

/** Whoever calls a handler directly has it for itself, whether or not the library keeps such handlers, too. */
public class Handlers {
    private final Map<String, Door> kept = Collections.synchronizedMap(new HashMap<>());

    public Door hidden() {
        Door door = new Handler();
        kept.put("hidden", door);
        return door;
    }

    public Door open() {
        OpenHandler door = new OpenHandler();
        kept.put("open", door);
        return door;
    }
}
