// selvedge: library=escape.CopyByHelper
// A snapshot is filled outside of the lock: a helper has made it, and nobody but the caller knows it.
package escape;

public class CopyByHelper implements Cloneable {
    private int[] entries = new int[4];
    private int changes;

    public synchronized void put(int index, int value) {
        entries[index] = value; //~ NORACE
        changes++; //~ NORACE
    }

    public synchronized int changes() {
        return changes; //~ NORACE
    }

    @Override
    public synchronized CopyByHelper clone() {
        CopyByHelper copy = copied();
        copy.entries = entries.clone();
        copy.changes = 0; //~ NORACE: the copy is new
        return copy;
    }

    final CopyByHelper copied() {
        try {
            return (CopyByHelper) super.clone();
        } catch (CloneNotSupportedException impossible) {
            throw new InternalError(impossible);
        }
    }

    public static CopyByHelper parsed(String text) {
        CopyByHelper made = empty(text.length());
        made.changes = text.length(); //~ NORACE: so is what a factory of a factory has made
        return made;
    }

    private static CopyByHelper empty(int depth) {
        return depth > 100 ? empty(depth - 1) : fresh();
    }

    private static CopyByHelper fresh() {
        CopyByHelper made = new CopyByHelper();
        made.changes = 1; //~ NORACE
        return made;
    }
}
