// One thread, started once, and the main thread does not touch the field while it runs: no partner for a race.
package threads;

public class SingleThreadAndMain {
    private int lines;

    void read() {
        for (int i = 0; i < 100; i++) {
            lines++; //~ NORACE: one thread only
        }
    }

    public static void main(String[] args) throws Exception {
        SingleThreadAndMain input = new SingleThreadAndMain();
        Thread reader = new Thread(input::read);
        reader.start();
        System.out.println("waiting");
        reader.join();
        System.out.println(input.lines); //~ NORACE: after the join
    }
}
