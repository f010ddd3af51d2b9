// selvedge: library=open.OldHashtableLocked
// The hash table with all public methods synchronized: entries are reached under the table's lock only.
package open;

public class OldHashtableLocked {
    private static class Entry {
        final String key;
        int value;
        Entry next;

        Entry(String key) {
            this.key = key;
        }
    }

    private Entry[] table = new Entry[3];
    private int count;

    public synchronized int size() {
        return count; //~ NORACE: guarded by this
    }

    public synchronized int get(String key) {
        for (Entry e = table[slot(key)]; e != null; e = e.next) { //~ NORACE: guarded by this
            if (e.key.equals(key)) {
                return e.value; //~ NORACE: guarded by this
            }
        }
        return 0;
    }

    public synchronized void put(String key, int value) {
        if (count > table.length) { //~ NORACE: guarded by this
            rehash();
        }
        Entry entry = new Entry(key);
        entry.value = value; //~ NORACE: guarded by this
        link(entry);
        count++; //~ NORACE: guarded by this
    }

    private void rehash() {
        Entry[] old = table; //~ NORACE: the caller holds this
        table = new Entry[old.length * 2 + 1]; //~ NORACE: the caller holds this
        for (Entry head : old) { //~ NORACE: the caller holds this
            while (head != null) {
                Entry next = head.next; //~ NORACE: the caller holds this
                link(head);
                head = next;
            }
        }
    }

    private void link(Entry entry) {
        int slot = slot(entry.key);
        entry.next = table[slot]; //~ NORACE: the callers hold this
        table[slot] = entry; //~ NORACE: the callers hold this
    }

    private int slot(String key) {
        return (key.hashCode() & 0x7fffffff) % table.length; //~ NORACE: the callers hold this
    }
}
