package java.lang;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** An object in {@link SelvedgeTable}, and its record. */
final class SelvedgeKey extends WeakReference<Object> {
    final int hash;
    final SelvedgeRecord record = new SelvedgeRecord(null);

    SelvedgeKey(Object object, int hash, ReferenceQueue<Object> gone) {
        super(object, gone);
        this.hash = hash;
    }
}
