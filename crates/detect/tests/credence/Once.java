package credence;

import java.util.HashMap;
import java.util.Map;

/** What a critical section sets once: readers that have been through it, that go around it, and a value that is set again. */
public class Once {
    private Map<String, String> doubtedTable;
    private Map<String, String> credibleTable;
    private Map<String, String> credibleReset;
    private int[] doubtedIndex;
    private boolean isIndexed;

    public String through(String key) {
        synchronized (this) {
            if (doubtedTable == null) {
                doubtedTable = new HashMap<>();
            }
        }
        return doubtedTable.get(key);
    }

    private synchronized void index() {
        if (isIndexed) {
            return;
        }
        doubtedIndex = new int[] {1, 2, 3};
        isIndexed = true;
    }

    public int at(int place) {
        index();
        return doubtedIndex[place];
    }

    public String around(String key) {
        if (credibleTable == null) {
            synchronized (this) {
                if (credibleTable == null) {
                    credibleTable = new HashMap<>();
                }
            }
        }
        return credibleTable.get(key);
    }

    public String again(String key) {
        synchronized (this) {
            if (credibleReset == null) {
                credibleReset = new HashMap<>();
            }
        }
        return credibleReset.get(key);
    }

    public synchronized void reset() {
        credibleReset = null;
    }
}
