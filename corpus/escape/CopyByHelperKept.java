// selvedge: library=escape.CopyByHelperKept
// As CopyByHelper, but one helper keeps what it returns, and another returns what it has kept.
package escape;

public class CopyByHelperKept implements Cloneable {
    private static volatile CopyByHelperKept last;
    private int changes;
    private int taken;

    public synchronized int changes() {
        return changes; //~ RACE
    }

    public synchronized int taken() {
        return taken; //~ RACE
    }

    @Override
    public synchronized CopyByHelperKept clone() {
        CopyByHelperKept copy = copied();
        copy.changes = 0; //~ RACE
        return copy;
    }

    final CopyByHelperKept copied() {
        try {
            CopyByHelperKept copy = (CopyByHelperKept) super.clone();
            last = copy;
            return copy;
        } catch (CloneNotSupportedException impossible) {
            throw new InternalError(impossible);
        }
    }

    public static CopyByHelperKept latest() {
        return last;
    }

    public static CopyByHelperKept lastOrNew() {
        CopyByHelperKept one = find();
        one.taken = 1; //~ RACE
        return one;
    }

    private static CopyByHelperKept find() {
        CopyByHelperKept known = last;
        return known != null ? known : new CopyByHelperKept();
    }
}
