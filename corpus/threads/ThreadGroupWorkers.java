// Threads made in a ThreadGroup and waited for by polling the group: activeCount orders nothing.
package threads;

public class ThreadGroupWorkers {
    private static int result;

    public static void main(String[] args) throws Exception {
        ThreadGroup group = new ThreadGroup("workers");
        Thread worker = new Thread(group, () -> {
            result = 42; //~ RACE
        });
        worker.start();
        for (int i = 0; i < 50 && group.activeCount() > 0; i++) {
            Thread.sleep(1);
        }
        System.out.println(result == 42 || result == 0); //~ RACE
        worker.join();
    }
}
