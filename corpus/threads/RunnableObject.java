// One Runnable given to two threads: its field is shared by both of them.
package threads;

public class RunnableObject implements Runnable {
    private int processed;

    @Override
    public void run() {
        for (int i = 0; i < 10; i++) {
            processed += i; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        RunnableObject job = new RunnableObject();
        Thread first = new Thread(job, "first");
        Thread second = new Thread(job, "second");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(job.processed > 0);
    }
}
