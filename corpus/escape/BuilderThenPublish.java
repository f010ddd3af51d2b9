// A mutable object is built completely, then published through a volatile field, then only read.
package escape;

import java.util.ArrayList;
import java.util.List;

public class BuilderThenPublish {
    static class Route {
        final List<String> stops = new ArrayList<>();
        int length;

        void add(String stop, int distance) {
            stops.add(stop); //~ NORACE: only before publication
            length += distance; //~ NORACE: only before publication
        }
    }

    private static volatile Route current;

    public static void main(String[] args) throws Exception {
        Thread planner = new Thread(() -> {
            Route route = new Route();
            route.add("Bern", 0);
            route.add("Thun", 30);
            current = route; //~ NORACE: volatile
        });
        planner.start();
        Route seen = current;
        if (seen != null) {
            System.out.print(seen.stops.size() == 2 ? "" : "?"); //~ NORACE: read only after publication
        }
        planner.join();
        System.out.println(current.length); //~ NORACE: read only after publication
    }
}
