// selvedge: library=papers.ChordRunningExampleLocked
// The running example with a synchronized get: every access to the shared object holds its lock.
package papers;

public class ChordRunningExampleLocked {
    int f;

    public ChordRunningExampleLocked() {
        this.f = 0; //~ NORACE: in the constructor
    }

    private int rd() {
        return this.f; //~ NORACE: both callers hold this
    }

    private int wr(int x) {
        this.f = x; //~ NORACE: under this, or on a private object
        return x;
    }

    public synchronized int get() {
        return this.rd();
    }

    public synchronized int inc() {
        int t = this.rd() + new ChordRunningExampleLocked().wr(1);
        return this.wr(t);
    }
}
