import java.util.*;

/** Compiled for Java 8: monitors, iterators, anonymous classes, nested finally, class literals. */
public class OldSync {
    private final List<String> log = new ArrayList<String>();

    void record(String s) {
        synchronized (log) {
            try {
                log.add(s);
                if (s.isEmpty()) return;
                if (s.length() > 3) throw new IllegalArgumentException(s);
            } finally {
                log.add("/" + s);
            }
        }
    }

    Iterator<String> reversed() {
        return new Iterator<String>() {
            private int at = log.size();
            public boolean hasNext() { return at > 0; }
            public String next() { return log.get(--at); }
            public void remove() { throw new UnsupportedOperationException(OldSync.class.getName()); }
        };
    }

    public static void main(String[] args) throws Exception {
        final OldSync o = new OldSync();
        for (String s : new String[]{"a", "", "long one", "b"}) {
            try {
                o.record(s);
            } catch (IllegalArgumentException e) {
                o.record("!");
            }
        }
        Thread t = new Thread() {
            @Override public void run() { o.record("t"); }
        };
        t.start();
        t.join();
        StringBuilder sb = new StringBuilder();
        for (Iterator<String> it = o.reversed(); it.hasNext(); ) sb.append(it.next()).append(',');
        System.out.println(sb);
        try {
            o.reversed().remove();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        Map<String, Integer> map = new TreeMap<String, Integer>(new Comparator<String>() {
            public int compare(String a, String b) { return b.compareTo(a); }
        });
        for (String s : o.log) map.put(s, s.length());
        System.out.println(map);
    }
}
