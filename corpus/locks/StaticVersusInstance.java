// A static counter changed by a static synchronized and by an instance synchronized method: two different monitors.
package locks;

public class StaticVersusInstance {
    private static int connections;

    static synchronized void opened() {
        connections++; //~ RACE
    }

    synchronized void closed() {
        connections--; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        StaticVersusInstance server = new StaticVersusInstance();
        Thread a = new Thread(StaticVersusInstance::opened);
        Thread b = new Thread(server::closed);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
