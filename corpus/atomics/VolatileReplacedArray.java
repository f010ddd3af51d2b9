// The volatile array is never changed in place: a new one is filled and then assigned.
package atomics;

public class VolatileReplacedArray {
    private volatile String[] hosts = {"a"};

    void reload() {
        String[] fresh = new String[2];
        fresh[0] = "b"; //~ NORACE: not published yet
        fresh[1] = "c"; //~ NORACE: not published yet
        hosts = fresh; //~ NORACE: volatile
    }

    String pick() {
        String[] current = hosts; //~ NORACE: volatile
        return current[0]; //~ NORACE: written before it was published
    }

    public static void main(String[] args) throws Exception {
        VolatileReplacedArray balancer = new VolatileReplacedArray();
        Thread admin = new Thread(balancer::reload);
        admin.start();
        System.out.println(balancer.pick().length());
        admin.join();
    }
}
