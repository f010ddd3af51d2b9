package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * Accesses to elements of arrays, one by one and many at once, as far as one comparison has not decided them. Static fields are elements of
 * one large array.
 */
abstract class SelvedgeArrays extends SelvedgeThread {
    private static final SelvedgeRange[] NO_RANGES = {};

    /** Whether the access of the word is before what the thread does now; if not, it may be nevertheless. */
    boolean surelyKnows(long word) {
        int other = (int) (word >>> CHAIN);
        return other < width() && clock[other] >= ((int) (word >>> TIME) & MAX_TIME);
    }

    /** A read of an element, the first in this epoch. One method for all callers: it is large, and what is usual in it changes. */
    @DontInline
    void firstRead(SelvedgeView view, int index, int at, int site) {
        judges(site);
        int[] times = view.reads;
        if (at < 0 || at >= times.length || !readsKnown(view, times, at, site)) elementRead(view, index, site);
    }

    /** As {@link #firstRead}, for writes. */
    @DontInline
    void firstWrite(SelvedgeView view, int index, int at, int site) {
        judges(site);
        long[] words = view.writes;
        if (at < 0 || at >= words.length || !writesKnown(view, words, at, site)) elementWrite(view, index, site);
    }

    /** The usual first read of an element in an epoch: the last write is known. Whether it was that; then it is done. */
    boolean readsKnown(SelvedgeView view, int[] times, int at, int site) {
        SelvedgeArray shadow = view.shadow;
        if (!quick || times != shadow.known(chain) || !knowsElement(shadow, at, false)) return false;
        mark();
        int time = (int) now & MAX_TIME;
        shadow.touch(view.latest, 0, time);
        times[at] = time;
        view.sites[at] = site;
        return true;
    }

    /** The usual first write of an element in an epoch: the last write and all reads are known. */
    boolean writesKnown(SelvedgeView view, long[] words, int at, int site) {
        SelvedgeArray shadow = view.shadow;
        if (!quick || words != shadow.writes || !knowsElement(shadow, at, true)) return false;
        int reader = shadow.reader;
        if (reader != chain && reader != SelvedgeArray.NOBODY && (locks || unknownRead(shadow, at) != 0)) return false;
        shadow.touch(view.latest, 1, (int) now & MAX_TIME);
        words[at] = word(site);
        return true;
    }

    /** Whether the last write of the element, and what others did to it among many, is before what the thread does now; for locks, whether the array is the chain's own. */
    private boolean knowsElement(SelvedgeArray shadow, int at, boolean writes) {
        SelvedgeRange[] ranges = shadow.ranges;
        long write = shadow.write(at);
        if (locks) return ranges.length == 0 && write >>> CHAIN == chain && shadow.isOwn(chain);
        if (!surelyKnows(write)) return false;
        for (SelvedgeRange range : ranges) {
            if (range.chain != chain && (writes || range.writes) && !surelyKnows(range.word)) return false;
        }
        return true;
    }

    /** The view of an array. Small, so that the JIT compilers take it into its callers. */
    SelvedgeView viewOf(Object array, int site) {
        SelvedgeView last = recent(site);
        return last.array == array ? last : view(array, site);
    }

    /** The view of an array that was not seen last at a place. */
    @DontInline
    SelvedgeView view(Object array, int site) {
        judges(site);
        SelvedgeCaches caches = array == null || mute ? null : caches();
        return caches == null ? NONE : (caches.recent[site & RECENT - 1] = find(array, caches));
    }

    /** The view of the array that was seen last at a site. */
    private SelvedgeView recent(int site) {
        SelvedgeCaches caches = caches();
        return caches == null ? NONE : caches.recent[site & RECENT - 1];
    }

    SelvedgeView find(Object array, SelvedgeCaches caches) {
        for (int i = 0; i < freshCount; i++) {
            if (caches.fresh[i] == array) {
                SelvedgeView view = caches.freshViews[i];
                if (view == null) {
                    mark();
                    view = caches.freshViews[i] = new SelvedgeView(array);
                    view.fresh = now >>> STAGES;
                }
                return view;
            }
        }
        SelvedgeView[] known = caches.views;
        int slot = System.identityHashCode(array) & known.length - 1;
        int free = -1;
        for (int way = 0; way < WAYS; way++) {
            SelvedgeView view = known[slot ^ way];
            if (view == null) {
                free = slot ^ way;
            } else if (view.array == array) {
                return view;
            }
        }
        if (free >= 0) return known[free] = new SelvedgeView(array);
        if (++caches.viewMisses > 2 * known.length && known.length < MAX_VIEWS) {
            caches.viewMisses = 0;
            caches.views = known = new SelvedgeView[4 * known.length];
            slot = System.identityHashCode(array) & known.length - 1;
        }
        // The ones that were found last stay.
        for (int way = WAYS - 1; way > 0; way--) known[slot ^ way] = known[slot ^ way - 1];
        return known[slot] = new SelvedgeView(array);
    }

    /** Gets the words of a view that has none. Whether there are any. */
    @DontInline
    boolean attach(SelvedgeView view) {
        Object array = view.array;
        if (array == null) return false;
        inside = true;
        try {
            SelvedgeRecord record = SelvedgeTable.recordOf(array);
            SelvedgeArray shadow;
            synchronized (record) {
                shadow = record.array;
                if (shadow == null) {
                    shadow = new SelvedgeArray(java.lang.reflect.Array.getLength(array), wholeArrays);
                    record.array = shadow;
                }
            }
            view.attach(shadow, chain);
            return true;
        } catch (OutOfMemoryError error) {
            return false;
        } finally {
            inside = false;
        }
    }

    /** The number of the word of an element, after the view got its words if it had none; -1 if there is nothing to be judged. */
    int placeOf(SelvedgeView view, int index) {
        if (view.fresh == now >>> STAGES || view.shadow == null && !attach(view)) return -1;
        int at = index >> view.shift;
        return at < view.shadow.size ? at : -1;
    }

    @DontInline
    void elementRead(SelvedgeView view, int index, int site) {
        if (!on || inside || mute || optimistic) return;
        if (passed) renew();
        if (recording && view != NONE) record(view.array, index, site, 0);
        int at = placeOf(view, index);
        if (at < 0) return;
        SelvedgeArray shadow = view.shadow;
        SelvedgeRange[] ranges = shadow.ranges;
        int[] reads = shadow.known(chain);
        try {
            if (reads == null || at >= reads.length) reads = shadow.row(chain, at);
        } catch (OutOfMemoryError error) {
            return;
        }
        if (reads != view.reads) view.readsOf(reads, chain);
        int time = (int) now & MAX_TIME;
        if (reads[at] >>> STAGES == time >>> STAGES) return;
        if (ranges.length != 0) judgeByRanges(ranges, view, index, site, 0);
        long write = shadow.write(at);
        if (write == EXACT) {
            tellInOrder(view.array, index, index, site, 0);
            return;
        }
        mark();
        shadow.touch(view.latest, 0, time);
        view.sites[at] = site;
        reads[at] = time;
        long[] writes = shadow.writes;
        if (writes != null) view.writes = writes;
        write = shadow.write(at);
        if (!knows(write)) {
            if (shadow.isGrouped()) {
                apart(view, at, index, site, 0);
            } else {
                race(view.array, index, site, 0, write, 1);
            }
        }
        if (locks) tellElement(view, at, index, site, 0, write);
    }

    @DontInline
    void elementWrite(SelvedgeView view, int index, int site) {
        if (!on || inside || mute) return;
        if (passed) renew();
        if (recording && view != NONE) record(view.array, index, site, 1);
        int at = placeOf(view, index);
        if (at < 0) return;
        SelvedgeArray shadow = view.shadow;
        SelvedgeRange[] ranges = shadow.ranges;
        long[] writes = shadow.writes;
        try {
            if (writes == null || at >= writes.length) writes = shadow.writes(at);
        } catch (OutOfMemoryError error) {
            return;
        }
        view.writes = writes;
        if (writes[at] >>> EPOCH == now >>> STAGES) return;
        if (ranges.length != 0) judgeByRanges(ranges, view, index, site, 1);
        if (writes[at] == EXACT) {
            tellInOrder(view.array, index, index, site, 1);
            return;
        }
        shadow.touch(view.latest, 1, (int) now & MAX_TIME);
        long write = unsafe.getAndSetLong(writes, longs + 8L * at, word(site));
        long read = knows(write) ? unknownRead(shadow, at) : 0;
        if (!knows(write) || read != 0) {
            if (shadow.isGrouped()) {
                apart(view, at, index, site, 1);
            } else if (!knows(write)) {
                race(view.array, index, site, 1, write, 1);
            } else {
                race(view.array, index, site, 1, read, 0);
            }
        }
        if (locks) tellElement(view, at, index, site, 1, write);
    }

    /** Whether an access to an element races with one of others to many elements, which were looked for before the words of the element. */
    void judgeByRanges(SelvedgeRange[] ranges, SelvedgeView view, int index, int site, int kind) {
        for (SelvedgeRange range : ranges) {
            if (range.chain == chain || kind == 0 && !range.writes || knows(range.word) || !range.has(index)) continue;
            race(view.array, index, site, kind, range.word, range.writes ? 1 : 0);
            return;
        }
    }

    /** Reads of many elements, unless they are among those that the thread has read last. */
    void rangeRead(Object array, int first, int delta, int count, int site) {
        SelvedgeView view = recent(site);
        if (view.array == array && delta > 0 && view.rangeRead.isFull(epoch, first, first + delta * (count - 1))) return;
        if (isFew(count)) {
            fewReads(array, first, delta, count, site);
        } else {
            range(array, first, delta, count, site, false);
        }
    }

    /** As {@link #rangeRead}, for writes. */
    void rangeWrite(Object array, int first, int delta, int count, int site) {
        SelvedgeView view = recent(site);
        if (view.array == array && delta > 0 && view.rangeWritten.isFull(epoch, first, first + delta * (count - 1))) return;
        if (isFew(count)) {
            fewWrites(array, first, delta, count, site);
        } else {
            range(array, first, delta, count, site, true);
        }
    }

    /** Of so many elements each is judged by itself: a range costs more. By locks, walks are told as such. */
    private static final int FEW = 16;

    private static boolean isFew(int count) {
        return count <= FEW && !locks && !recording;
    }

    @DontInline
    private void fewReads(Object array, int first, int delta, int count, int site) {
        SelvedgeView view = viewOf(array, site);
        for (int i = 0, index = first; i < count; i++, index += delta) {
            int[] times = view.reads;
            int at = index >> view.shift;
            if (at < 0 || at >= times.length ? view.fresh != epoch : times[at] >>> STAGES != time) firstRead(view, index, at, site);
        }
    }

    @DontInline
    private void fewWrites(Object array, int first, int delta, int count, int site) {
        SelvedgeView view = viewOf(array, site);
        for (int i = 0, index = first; i < count; i++, index += delta) {
            long[] words = view.writes;
            int at = index >> view.shift;
            if (at < 0 || at >= words.length ? view.fresh != epoch : words[at] >>> EPOCH != epoch) firstWrite(view, index, at, site);
        }
    }

    @DontInline
    void range(Object array, int first, int delta, int count, int site, boolean writes) {
        if (count <= 0) return;
        judges(site);
        SelvedgeView view = recent(site);
        if (view.array != array) view = view(array, site);
        int last = first + delta * (count - 1);
        int step = delta;
        if (delta < 0) {
            int low = last;
            last = first;
            first = low;
            step = -delta;
        }
        if (repeats(view, first, last, step, site, writes)) return;
        if (view.rangeWrittenAt == epoch && view.rangeWritten.covers(first, last, step)) return;
        if (!writes && view.rangeReadAt == epoch && view.rangeRead.covers(first, last, step)) return;
        if (view.fresh == epoch || !on || inside || mute || optimistic && !writes) return;
        if (passed) renew();
        if (count > 1 && !recording && isKnownRange(view, first, last, step, site, writes)) return;
        for (int i = 0, index = first; i < count; i++, index += step) {
            if (writes) {
                elementWrite(view, index, site);
            } else {
                elementRead(view, index, site);
            }
        }
    }

    /**
     * The usual case of accesses to many elements: they come after the same ones as the last time, nobody has touched the array in
     * a new way, and what others have done to it is known. Whether it was that; then it is done.
     */
    boolean repeats(SelvedgeView view, int first, int last, int step, int site, boolean writes) {
        SelvedgeRange own = view.range.next;
        if (own == null || !own.is(first, last, step, writes) || !quick || inside || !on) return false;
        SelvedgeArray shadow = view.shadow;
        if (shadow.ranges != view.seenRanges || order && shadow.singles != view.seenSingles) return false;
        if (locks && !view.isStillOwned()) {
            if (own.told != byChain(heldHash) || own.shares != shadow.shares) return false;
            relies();
        }
        own.word = word(site);
        if (order) {
            for (SelvedgeRange other : view.othersRanges) {
                if ((writes || other.writes) && !surelyKnows(other.word)) return false;
            }
        }
        view.range = own;
        if (writes) {
            view.rangeWritten = own;
            view.rangeWrittenAt = now >>> STAGES;
        } else {
            view.rangeRead = own;
            view.rangeReadAt = now >>> STAGES;
        }
        return true;
    }

    /** A hash of locks, to be left where the chain's next thread finds it; not 0. */
    private int byChain(int locks) {
        return (locks ^ number * 0x9e3779b1) | 1;
    }

    /** Notes accesses to many elements of which nothing is to be said but that they were. Whether that was so. */
    @DontInline
    boolean isKnownRange(SelvedgeView view, int first, int last, int step, int site, boolean writes) {
        if (view.shadow == null && !attach(view)) return true;
        SelvedgeArray shadow = view.shadow;
        if (first < 0 || last >> view.shift >= shadow.size || view.shift > 16) return false;
        SelvedgeRange[] ranges = shadow.ranges;
        SelvedgeRange own = ranges == view.seenRanges ? view.range.next : null;
        if (own == null || !own.is(first, last, step, writes)) own = ownRange(view, ranges, first, last, step, writes);
        if (own == null) {
            SelvedgeRange before = rightBefore(view, first, step, writes);
            try {
                if (before != null && !locks && shadow.grow(before, last)) {
                    own = before;
                } else {
                    own = new SelvedgeRange(before == null ? first : before.first, last, step, chain, writes);
                    own.word = word(site);
                    if (!shadow.add(own)) return false;
                }
            } catch (OutOfMemoryError error) {
                return false;
            }
        }
        own.word = word(site);
        if (order) {
            if (shadow.ranges != view.seenRanges) ownRange(view, shadow.ranges, first, last, step, writes);
            if (meetsUnknown(view.othersRanges, first, last, step, writes)) return false;
            int singles = shadow.singles;
            if (view.seenSingles != singles) {
                if (shadow.isKnown(clock, width(), chain, true)) {
                    view.seenSingles = singles;
                } else if (!shadow.isKnown(clock, width(), chain, writes) && !knowsWords(shadow, first, last, step, writes)) {
                    return false;
                }
            }
        }
        if (locks) tellRange(view, own, first, last, step, site);
        if (view.range != SelvedgeRange.NONE) view.range.next = own;
        view.range = own;
        if (writes) {
            view.rangeWritten = own;
            view.rangeWrittenAt = now >>> STAGES;
        } else {
            view.rangeRead = own;
            view.rangeReadAt = now >>> STAGES;
        }
        return true;
    }

    /** The chain's own record of such accesses, null if there is none; notes those of other chains. */
    @DontInline
    SelvedgeRange ownRange(
        SelvedgeView view, SelvedgeRange[] ranges, int first, int last, int step, boolean writes) {
        SelvedgeRange own = null;
        SelvedgeRange[] others = new SelvedgeRange[ranges.length];
        int count = 0;
        for (SelvedgeRange range : ranges) {
            if (range.chain != chain) {
                others[count++] = range;
            } else if (range.is(first, last, step, writes)) {
                own = range;
            }
        }
        view.seenRanges = ranges;
        view.othersRanges = count == 0 ? NO_RANGES : java.util.Arrays.copyOf(others, count);
        return own;
    }

    /** Whether another chain has accessed some of these elements together with others, and nothing orders that before. */
    boolean meetsUnknown(SelvedgeRange[] others, int first, int last, int step, boolean writes) {
        for (SelvedgeRange range : others) {
            if ((writes || range.writes) && !knows(range.word) && range.meets(first, last, step)) return true;
        }
        return false;
    }

    /** The record of the last such access, if these elements come right behind it in the same epoch; null if not. */
    SelvedgeRange rightBefore(SelvedgeView view, int first, int step, boolean writes) {
        SelvedgeRange before = writes ? view.rangeWritten : view.rangeRead;
        boolean continues = before.word >>> EPOCH == now >>> STAGES && before.step == step && before.last + step == first;
        return continues ? before : null;
    }

    /** Whether all accesses of others to these elements, one by one, are before what the thread does now. */
    @DontInline
    boolean knowsWords(SelvedgeArray shadow, int first, int last, int step, boolean writes) {
        int before = -1;
        for (int index = first; index <= last; index += step) {
            int at = index >> shadow.shift;
            if (at == before) continue;
            before = at;
            if (!knows(shadow.write(at)) || writes && unknownRead(shadow, at) != 0) return false;
        }
        return true;
    }

    /** For locks: tells of those of the elements that are not their first thread's own, unless that was done with the same locks. */
    @DontInline
    void tellRange(SelvedgeView view, SelvedgeRange own, int first, int last, int step, int site) {
        SelvedgeArray shadow = view.shadow;
        relies();
        int with = byChain(heldHash);
        int shares = shadow.shares;
        if (own.told == with && own.shares == shares) return;
        if (!shadow.apart && (!shadow.isTold || shadow.toldSingles == shadow.singles)) {
            tellWalk(view, own, first, last, step, site, with);
            if (!shadow.apart) return;
        }
        for (int index = first; index <= last; index += step) {
            int at = index >> view.shift;
            tellElement(view, at, index, site, own.writes ? 1 : 0, shadow.write(at));
        }
        // A record of more elements than these is told of anew, should it be the same once more.
        if (own.first != first) return;
        own.told = with;
        own.shares = shares;
    }

    /** For locks: tells of accesses to many elements at once, if another chain has touched the array; then of those before it, too. */
    @DontInline
    void tellWalk(SelvedgeView view, SelvedgeRange own, int first, int last, int step, int site, int with) {
        SelvedgeArray shadow = view.shadow;
        if (inside || view.isStillOwned()) return;
        SelvedgeRange[] ranges = shadow.ranges;
        int singles = shadow.singles;
        if (owners && !shadow.isTouchedByOthers(chain)) {
            view.ownedRanges = ranges;
            view.ownedSingles = singles;
            return;
        }
        inside = true;
        try {
            synchronized (shadow) {
                if (!shadow.isTold) {
                    shadow.toldSingles = shadow.singles;
                    for (int of = shadow.chains() - 1; of >= 0; of--) tellSingles(view, of);
                    for (SelvedgeRange range : shadow.ranges) {
                        if (range != own) tellEarlier(view, range.first, range.last, range.step, range.writes, range.word);
                    }
                    shadow.isTold = true;
                }
                if (shadow.apart) return;
                flushHeld();
                int became = Selvedge.walk0(number, view.array, first, last, step, site, own.writes ? 1 : 0, 0, null, null);
                if (became == 1) shadow.shares++;
                if (became == 2) shadow.apart = true;
                own.shares = shadow.shares;
                own.told = became == 2 || own.first != first || own.last != last ? 0 : with;
            }
        } finally {
            inside = false;
        }
    }

    /** Tells of the elements that a chain has touched one by one, neighbours together: somebody had them before. */
    void tellSingles(SelvedgeView view, int of) {
        SelvedgeArray shadow = view.shadow;
        int start = -1;
        long word = 0;
        for (int at = 0; at <= shadow.size; at++) {
            long touched = at < shadow.size ? shadow.wordOf(of, at) : 0;
            if (touched != 0 && start < 0) start = at;
            if (touched == 0 && start >= 0) {
                int last = (at << view.shift) - 1;
                tellEarlier(view, start << view.shift, last, 1, true, word);
                start = -1;
            }
            word = touched;
        }
    }

    void tellEarlier(SelvedgeView view, int first, int last, int step, boolean writes, long word) {
        SelvedgeHeld locks = heldAt(word);
        Object[] objects = locks == null ? null : locks.objects();
        int[] modes = locks == null ? null : locks.modes;
        flush();
        if (Selvedge.walk0(number, view.array, first, last, step, 0, writes ? 1 : 0, word, objects, modes) == 2) view.shadow.apart = true;
    }

    /** Unordered threads have touched a group of elements; which of them, is not known: they are distinguished from now on. */
    void apart(SelvedgeView view, int at, int index, int site, int kind) {
        if (!order) return;
        view.shadow.writes(at)[at] = EXACT;
        tellInOrder(view.array, index, index, site, kind);
    }

    /** For locks: an access to an element; tells of it if a second thread has touched the element. */
    @DontInline
    void tellElement(SelvedgeView view, int at, int index, int site, int kind, long write) {
        SelvedgeArray shadow = view.shadow;
        if (owners && !shadow.isShared(at)) {
            boolean other = isOther(write);
            int[][] rows = shadow.reads;
            for (int i = 0; i < rows.length && !other; i++) {
                other = i != chain && rows[i] != null && at < rows[i].length && rows[i][at] != 0;
            }
            SelvedgeRange[] ranges = shadow.ranges;
            for (int i = 0; i < ranges.length && !other; i++) other = ranges[i].chain != chain && ranges[i].has(index);
            if (!other) return;
            shadow.share(at);
        }
        if (shadow == STATICS) {
            // Their numbers distinguish them, as they have no object.
            tell(STATICS, at, index, site, kind);
            return;
        }
        if (inside || atomically) return;
        relies();
        int[] told;
        try {
            told = view.told(chain, kind, at);
        } catch (OutOfMemoryError error) {
            return;
        }
        int all = allLocks();
        for (int i = 0; i <= all; i++) {
            if (told[at] == byChain(lockHashes[i])) return;
        }
        int enough = event(view.array, index, site, kind | LOCKS, all);
        // With neighbours in one word, what holds of one need not hold of the others.
        told[at] = byChain(view.shift == 0 ? lockHashes[enough] : heldHash);
    }

    /** The word of a read of an element that the thread does not know, 0 if there is none. */
    long unknownRead(SelvedgeArray shadow, int at) {
        int[][] rows = shadow.reads;
        for (int other = 0; other < rows.length; other++) {
            int[] row = rows[other];
            if (row == null || at >= row.length || row[at] == 0) continue;
            long word = ((long) other << CHAIN - TIME | row[at]) << TIME;
            if (!knows(word)) return word | (shadow.site(other, at) & MAX_SITE) << SITE;
        }
        return 0;
    }
}
