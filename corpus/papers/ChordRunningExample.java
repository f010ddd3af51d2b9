// selvedge: library=papers.ChordRunningExample
// The running example of the staged pair analysis: get reads without the lock that inc holds; the writer is also called
// on a fresh private object, which must be told apart from the shared one.
package papers;

public class ChordRunningExample {
    int f;

    public ChordRunningExample() {
        this.f = 0; //~ NORACE: in the constructor
    }

    private int rd() {
        return this.f; //~ RACE: through get
    }

    private int wr(int x) {
        this.f = x; //~ RACE: through inc, on the shared object
        return x;
    }

    public int get() {
        return this.rd();
    }

    public synchronized int inc() {
        int t = this.rd() + new ChordRunningExample().wr(1);
        return this.wr(t);
    }
}
