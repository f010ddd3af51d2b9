import java.util.ArrayList;
import java.util.List;

/** A field for each kind of race. */
public class Patterns {
    private final int seed;
    private int hash;
    private int hashReadTwice;
    private String text;
    private long wideHash;
    private List<String> list;
    private List<String> checkedTwice;
    private int requests;
    private int limited;
    private int lastId;
    private boolean stopped;
    private boolean awaited;
    private boolean awaitedByGetter;
    private boolean toggled;
    private double total;

    public Patterns(int seed) {
        this.seed = seed;
    }

    public int hash() {
        int known = hash;
        if (known == 0) {
            known = seed * 31;
            hash = known;
        }
        return known;
    }

    public int hashReadTwice() {
        if (hashReadTwice == 0) {
            hashReadTwice = seed * 31;
        }
        return hashReadTwice;
    }

    public String text() {
        String known = text;
        if (known == null) {
            known = String.valueOf(seed);
            text = known;
        }
        return known;
    }

    public int wideHash() {
        long known = wideHash;
        if (known == 0) {
            known = seed * 31L;
            wideHash = known;
        }
        return (int) known;
    }

    public int list() {
        List<String> known = list;
        if (known == null) {
            known = new ArrayList<>();
            list = known;
        }
        return known.size();
    }

    public int checkedTwice() {
        List<String> known = checkedTwice;
        if (known == null) {
            synchronized (this) {
                known = checkedTwice;
                if (known == null) {
                    known = new ArrayList<>();
                    checkedTwice = known;
                }
            }
        }
        return known.size();
    }

    public void request() {
        requests++;
        if (limited < 10) {
            limited++;
        }
    }

    public String show() {
        return "requests: " + requests;
    }

    public void stop() {
        stopped = true;
    }

    public int nextId() {
        return ++lastId;
    }

    public void end() {
        awaited = true;
    }

    public void await() {
        while (!awaited) {
            Thread.yield();
        }
    }

    public void leave() {
        awaitedByGetter = true;
    }

    private boolean isAlive() {
        return !awaitedByGetter;
    }

    public void awaitByGetter() {
        while (isAlive()) {
            Thread.yield();
        }
    }

    public boolean isStopped() {
        return stopped;
    }

    public void toggle(boolean on) {
        toggled = on;
    }

    public boolean isToggled() {
        return toggled;
    }

    public void add(double amount) {
        total = amount;
    }

    public double total() {
        return total;
    }
}
