package credence;

/** Rings: elements that a volatile counter hands over, and some that a reader takes without it. */
public class Rings {
    private final String[] doubtedSlots = new String[16];
    private volatile long tail;
    private final String[] credibleSlots = new String[16];
    private volatile long end;

    public synchronized void offer(String element) {
        long at = tail;
        doubtedSlots[(int) (at % doubtedSlots.length)] = element;
        tail = at + 1;
    }

    public String at(long head) {
        if (head >= tail) {
            return null;
        }
        return doubtedSlots[(int) (head % doubtedSlots.length)];
    }

    public synchronized void add(String element) {
        long at = end;
        credibleSlots[(int) (at % credibleSlots.length)] = element;
        end = at + 1;
    }

    public String peek(long head) {
        return credibleSlots[(int) (head % credibleSlots.length)];
    }
}
