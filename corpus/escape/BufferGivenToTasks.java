// The twin in which the tasks are given one buffer.
package escape;

public class BufferGivenToTasks implements Runnable {
    private final StringBuilder buffer;

    BufferGivenToTasks(StringBuilder buffer) {
        this.buffer = buffer;
    }

    @Override
    public void run() {
        for (int i = 0; i < 5; i++) {
            buffer.append(i); //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        StringBuilder shared = new StringBuilder(64);
        Thread a = new Thread(new BufferGivenToTasks(shared));
        Thread b = new Thread(new BufferGivenToTasks(shared));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
