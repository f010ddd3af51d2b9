package credence;

/** Two threads that are sure to meet. */
public class Counters {
    static int highCount;
    static int highNextId;

    static int nextId() {
        return ++highNextId;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(Counters::work);
        Thread second = new Thread(Counters::work);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(highCount);
    }

    static void work() {
        highCount++;
        System.out.println(nextId());
    }
}
