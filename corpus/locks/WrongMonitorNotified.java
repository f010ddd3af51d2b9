// A bounded buffer that waits on one monitor and changes the count under another.
package locks;

public class WrongMonitorNotified {
    private final Object notEmpty = new Object();
    private final Object notFull = new Object();
    private int count;

    void put() throws InterruptedException {
        synchronized (notFull) {
            while (count >= 4) { //~ RACE
                notFull.wait(5);
            }
            count++; //~ RACE
        }
        synchronized (notEmpty) {
            notEmpty.notify();
        }
    }

    void take() throws InterruptedException {
        synchronized (notEmpty) {
            while (count <= 0) { //~ RACE
                notEmpty.wait(5);
            }
            count--; //~ RACE
        }
        synchronized (notFull) {
            notFull.notify();
        }
    }

    public static void main(String[] args) throws Exception {
        WrongMonitorNotified buffer = new WrongMonitorNotified();
        buffer.put();
        buffer.put();
        Thread producer = new Thread(() -> {
            try {
                buffer.put();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        producer.start();
        buffer.take();
        producer.join();
    }
}
