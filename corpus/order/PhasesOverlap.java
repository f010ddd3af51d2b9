// The twin that joins the loader after the processor has been started.
package order;

public class PhasesOverlap {
    private int items;

    void load() {
        items = 7; //~ RACE
    }

    void process() {
        items *= 2; //~ RACE
    }

    public static void main(String[] args) throws InterruptedException {
        PhasesOverlap batch = new PhasesOverlap();
        Thread loader = new Thread(batch::load);
        loader.start();
        Thread processor = new Thread(batch::process);
        processor.start();
        loader.join();
        processor.join();
        System.out.println(batch.items >= 0); //~ NORACE: after both joins
    }
}
