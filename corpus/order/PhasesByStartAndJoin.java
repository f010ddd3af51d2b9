// The second thread is started only after the first is joined: the two never run together, though they share a field.
package order;

public class PhasesByStartAndJoin {
    private int items;

    void load() {
        items = 7; //~ NORACE: ended before the second thread starts
    }

    void process() {
        items *= 2; //~ NORACE: starts after the first is joined
    }

    public static void main(String[] args) throws InterruptedException {
        PhasesByStartAndJoin batch = new PhasesByStartAndJoin();
        Thread loader = new Thread(batch::load);
        loader.start();
        loader.join();
        Thread processor = new Thread(batch::process);
        processor.start();
        processor.join();
        System.out.println(batch.items);
    }
}
