class Monitors {
    private final Object lock = new Object();
    int count;

    void block() {
        synchronized (lock) {
            count++;
        }
    }

    int nested(Object other) {
        synchronized (this) {
            synchronized (other) {
                if (count > 3) return count;
            }
            count--;
        }
        return 0;
    }

    synchronized int whole() { return count; }

    static synchronized void waits(Object o) throws InterruptedException {
        synchronized (o) {
            while (o.hashCode() != 0) o.wait();
        }
    }
}
