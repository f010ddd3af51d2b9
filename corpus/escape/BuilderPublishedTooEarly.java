// The route is published first and completed afterwards: the reader may meet it half built.
package escape;

public class BuilderPublishedTooEarly {
    static class Route {
        int length;

        void add(int distance) {
            length += distance; //~ RACE
        }
    }

    private static volatile Route current;

    public static void main(String[] args) throws Exception {
        Thread planner = new Thread(() -> {
            Route route = new Route();
            current = route; //~ NORACE: volatile
            route.add(30);
        });
        planner.start();
        Route seen = current;
        if (seen != null) {
            System.out.print(seen.length >= 0 ? "" : "?"); //~ RACE
        }
        planner.join();
    }
}
