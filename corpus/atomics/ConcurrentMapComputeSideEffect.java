// compute excludes others for one key only: a list outside the map races with functions for other keys.
package atomics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentMapComputeSideEffect {
    private final ConcurrentHashMap<String, Integer> visits = new ConcurrentHashMap<>();
    private final List<String> log = new ArrayList<>();

    void visit(String page) {
        visits.compute(page, (key, count) -> {
            log.add(key); //~ RACE
            return count == null ? 1 : count + 1;
        });
    }

    public static void main(String[] args) throws Exception {
        ConcurrentMapComputeSideEffect site = new ConcurrentMapComputeSideEffect();
        Thread a = new Thread(() -> site.visit("home"));
        Thread b = new Thread(() -> site.visit("news"));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(site.visits.size());
    }
}
