// Starting the thread as the constructor's last act is ordered: everything was written before the start.
package threads;

public class StartedLastInConstructor {
    private final Thread poller;
    private int interval;

    StartedLastInConstructor(int interval) {
        this.interval = interval; //~ NORACE: before the start
        poller = new Thread(this::poll);
        poller.start();
    }

    void poll() {
        if (interval < 0) { //~ NORACE: started after the write
            throw new IllegalStateException();
        }
    }

    public static void main(String[] args) throws Exception {
        StartedLastInConstructor service = new StartedLastInConstructor(50);
        service.poller.join();
        System.out.println(service.interval);
    }
}
