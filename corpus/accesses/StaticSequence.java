// A static id generator used by two threads: the read-modify-write of the static field is a race, ids may repeat.
package accesses;

public class StaticSequence {
    private static int nextId = 1;

    static int next() {
        return nextId++; //~ RACE
    }

    static class Order {
        final int id = next();
    }

    public static void main(String[] args) throws Exception {
        Runnable clerk = () -> {
            for (int i = 0; i < 50; i++) {
                if (new Order().id < 0) {
                    System.out.println("never");
                }
            }
        };
        Thread a = new Thread(clerk);
        Thread b = new Thread(clerk);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
