// selvedge: library=open.HashtableEnumeration,open.HashtableEnumeration$Cursor
// The cursor of a locked table walks its slots without the table's lock; cursor and table are both in clients' hands.
package open;

public class HashtableEnumeration {
    private final String[] slots = new String[16];

    public synchronized void put(int slot, String value) {
        slots[slot & 15] = value; //~ RACE
    }

    public Cursor cursor() {
        return new Cursor(this);
    }

    public static class Cursor {
        private final HashtableEnumeration table;

        private Cursor(HashtableEnumeration table) {
            this.table = table;
        }

        public int count() {
            int count = 0;
            for (int i = 0; i < 16; i++) {
                if (table.slots[i] != null) { //~ RACE: without the table's lock
                    count++;
                }
            }
            return count;
        }
    }
}
