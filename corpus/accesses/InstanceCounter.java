// A hit counter shared by two request threads without any lock: the increments are lost updates, a plain race.
package accesses;

public class InstanceCounter {
    private int hits;

    void handle() {
        for (int i = 0; i < 100; i++) {
            hits++; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        InstanceCounter counter = new InstanceCounter();
        Thread first = new Thread(counter::handle);
        Thread second = new Thread(counter::handle);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("hits " + counter.hits); //~ NORACE: both threads are joined
    }
}
