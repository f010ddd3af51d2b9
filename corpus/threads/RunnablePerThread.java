// One Runnable for each thread: the field is written by one thread only and read after the join.
package threads;

public class RunnablePerThread implements Runnable {
    private int processed;

    @Override
    public void run() {
        for (int i = 0; i < 10; i++) {
            processed += i; //~ NORACE: one object for each thread
        }
    }

    public static void main(String[] args) throws Exception {
        RunnablePerThread left = new RunnablePerThread();
        RunnablePerThread right = new RunnablePerThread();
        Thread first = new Thread(left);
        Thread second = new Thread(right);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(left.processed + right.processed); //~ NORACE: after the joins
    }
}
