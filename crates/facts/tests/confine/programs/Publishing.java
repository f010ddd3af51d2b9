/** Objects that are filled before others see them, and after. */
public class Publishing {
    static class Early {
        int value;
    }

    static class Late {
        int value;
    }

    static class Route {
        int length;
        int stops;

        Route(int first) {
            add(first);
        }

        void add(int distance) {
            length += distance;
        }

        void close() {
            stops++; // pair
        }
    }

    static class Leaking {
        int value;

        Leaking() {
            value = 1;
            leaked = this;
            value = 2; // pair
        }
    }

    static class InLoop {
        int value;
    }

    static volatile Early early;
    static volatile Late late;
    static volatile Route route;
    static volatile Leaking leaked;
    static volatile InLoop inLoop;

    public static void main(String[] args) {
        Thread maker = new Thread(() -> {
            Early first = new Early();
            first.value = 1;
            first.value++;
            early = first;
            Late second = new Late();
            late = second;
            second.value = 1; // pair
            Route third = new Route(3);
            third.add(4);
            route = third;
            third.close(); // the field is the pair, in the method
            new Leaking();
            InLoop next = null;
            for (int i = 0; i < 3; i++) {
                if (next != null) {
                    next.value = 3; // pair
                }
                InLoop made = new InLoop();
                made.value = 1;
                inLoop = made;
                next = made;
            }
        });
        maker.start();
        Thread reader = new Thread(() -> {
            int sum = early.value;
            sum += late.value; // pair
            sum += route.length;
            sum += route.stops; // pair
            sum += leaked.value; // pair
            sum += inLoop.value; // pair
        });
        reader.start();
    }
}
