// Resources count how many of them are open in a static field; close() forgets the lock that open() takes.
package modern;

public class TryWithResourcesCount {
    static class Connection implements AutoCloseable {
        private static int open;

        static synchronized Connection open() {
            open++; //~ RACE
            return new Connection();
        }

        void send(String text) {
            if (text.isEmpty()) {
                throw new IllegalArgumentException();
            }
        }

        @Override
        public void close() {
            open--; //~ RACE
        }
    }

    static void talk() {
        try (var connection = Connection.open()) {
            connection.send("hello");
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(TryWithResourcesCount::talk);
        Thread b = new Thread(TryWithResourcesCount::talk);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
