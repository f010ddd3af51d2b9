// Each worker locks itself while it changes a static list: two workers hold two different locks.
package locks;

import java.util.ArrayList;
import java.util.List;

public class InstanceLockOnStaticData {
    private static final List<String> LOG = new ArrayList<>(32);
    private final String name;

    InstanceLockOnStaticData(String name) {
        this.name = name;
    }

    synchronized void log() {
        LOG.add(name); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        InstanceLockOnStaticData a = new InstanceLockOnStaticData("a");
        InstanceLockOnStaticData b = new InstanceLockOnStaticData("b");
        Thread first = new Thread(a::log);
        Thread second = new Thread(b::log);
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
