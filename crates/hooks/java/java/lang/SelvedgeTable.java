package java.lang;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.vm.annotation.DontInline;

/** Records of objects that have no field for them: arrays, and objects of classes that are not rewritten. Found by identity, and gone with the object. */
final class SelvedgeTable {
    private static final ReferenceQueue<Object> gone = new ReferenceQueue<>();
    private static volatile SelvedgeNode[] buckets = new SelvedgeNode[1 << 12];
    private static int count;

    private SelvedgeTable() {
    }

    /** By site, and of all sites: of how many objects it was kept where they were made. At most so many: it takes time and memory, and a report needs one. */
    private static final short[] kept = new short[1 << 12];
    private static int allKept;
    private static final int FEW = 1 << 10;
    private static final int MANY = 1 << 16;

    static SelvedgeRecord recordOf(Object object) {
        int hash = System.identityHashCode(object);
        SelvedgeRecord known = known(object, hash);
        if (known != null) return known;
        clean();
        return add(object, hash);
    }

    /** The record of an object with this hash, null if it has none. */
    static SelvedgeRecord known(Object object, int hash) {
        SelvedgeNode[] known = buckets;
        for (SelvedgeNode node = known[hash & known.length - 1]; node != null; node = node.next) {
            if (node.key.hash == hash && node.key.get() == object) return node.key.record;
        }
        return null;
    }

    /** Whether few objects were made at a site so far. */
    static boolean isOfFew(int site) {
        return kept[site & kept.length - 1] < FEW;
    }

    /** Keeps where an object was made. Two threads may count as one: then some more are kept. */
    static void made(Object object, int site) {
        kept[site & kept.length - 1]++;
        if (allKept >= MANY) return;
        allKept++;
        recordOf(object).madeAt = site;
    }

    /**
     * Removes what is gone. The queue has a lock of its own, which is observed when the JVM puts references there: so it is asked without the lock of the table, and
     * without being observed. In some JDKs that is a lock that parks: then the thread's permit may be gone by which the program was to be woken up, and the thread
     * gets another one. One too many is harmless, since parking may end for no reason.
     */
    @DontInline
    private static void clean() {
        Selvedge me = Thread.currentThread().$selvedge;
        boolean was = me != null && me.inside;
        if (me != null) me.inside = true;
        try {
            for (Reference<?> dead = gone.poll(); dead != null; dead = gone.poll()) remove((SelvedgeKey) dead);
        } finally {
            if (me != null && (me.permitTaken || me.isVirtual)) {
                me.permitTaken = false;
                LockSupport.unpark(Thread.currentThread());
            }
            if (me != null) me.inside = was;
        }
    }

    @DontInline
    private static synchronized SelvedgeRecord add(Object object, int hash) {
        SelvedgeNode[] known = buckets;
        if (count > known.length) known = grow(known);
        int slot = hash & known.length - 1;
        for (SelvedgeNode node = known[slot]; node != null; node = node.next) {
            if (node.key.get() == object) return node.key.record;
        }
        SelvedgeKey key = new SelvedgeKey(object, hash, gone);
        known[slot] = new SelvedgeNode(key, known[slot]);
        count++;
        return key.record;
    }

    private static synchronized void remove(SelvedgeKey dead) {
        int slot = dead.hash & buckets.length - 1;
        SelvedgeNode kept = null;
        for (SelvedgeNode node = buckets[slot]; node != null; node = node.next) {
            if (node.key != dead) kept = new SelvedgeNode(node.key, kept);
        }
        buckets[slot] = kept;
        count--;
    }

    private static SelvedgeNode[] grow(SelvedgeNode[] known) {
        SelvedgeNode[] larger = new SelvedgeNode[4 * known.length];
        for (SelvedgeNode bucket : known) {
            for (SelvedgeNode node = bucket; node != null; node = node.next) {
                int slot = node.key.hash & larger.length - 1;
                larger[slot] = new SelvedgeNode(node.key, larger[slot]);
            }
        }
        return buckets = larger;
    }
}
