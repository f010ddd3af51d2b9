// The constructor starts the thread and goes on initialising: the thread can see the object half made.
package threads;

public class StartedInConstructor {
    private final Thread poller;
    private int interval;

    StartedInConstructor(int interval) {
        poller = new Thread(this::poll);
        poller.start();
        this.interval = interval; //~ RACE: written after the thread was started
    }

    void poll() {
        if (interval < 0) { //~ RACE
            throw new IllegalStateException();
        }
    }

    public static void main(String[] args) throws Exception {
        StartedInConstructor service = new StartedInConstructor(50);
        service.poller.join();
        System.out.println(service.interval); //~ NORACE: after the join
    }
}
