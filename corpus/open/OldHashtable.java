// selvedge: library=open.OldHashtable
// A hash table of chained entries: put and get lock, size and isEmpty read the count without.
package open;

public class OldHashtable {
    private static class Entry {
        final String key;
        String value;
        final Entry next;

        Entry(String key, String value, Entry next) {
            this.key = key;
            this.value = value;
            this.next = next;
        }
    }

    private final Entry[] table = new Entry[11];
    private int count;

    public int size() {
        return count; //~ RACE
    }

    public boolean isEmpty() {
        return count == 0; //~ RACE
    }

    public synchronized String get(String key) {
        Entry entry = find(key);
        return entry == null ? null : entry.value; //~ NORACE: guarded by this
    }

    public synchronized void put(String key, String value) {
        Entry entry = find(key);
        if (entry != null) {
            entry.value = value; //~ NORACE: guarded by this
            return;
        }
        int slot = slot(key);
        table[slot] = new Entry(key, value, table[slot]); //~ NORACE: guarded by this
        count++; //~ RACE
    }

    private Entry find(String key) {
        Entry entry = table[slot(key)]; //~ NORACE: both callers hold this
        while (entry != null && !entry.key.equals(key)) {
            entry = entry.next;
        }
        return entry;
    }

    private int slot(String key) {
        return (key.hashCode() & 0x7fffffff) % table.length;
    }
}
