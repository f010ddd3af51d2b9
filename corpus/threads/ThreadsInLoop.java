// One thread-creating line inside a loop makes many threads: the task races with other copies of itself.
package threads;

public class ThreadsInLoop {
    private static int finished;

    public static void main(String[] args) throws Exception {
        Thread[] crew = new Thread[4];
        for (int i = 0; i < crew.length; i++) {
            crew[i] = new Thread(() -> {
                finished++; //~ RACE
            });
            crew[i].start();
        }
        for (Thread member : crew) {
            member.join();
        }
        System.out.println(finished <= 4); //~ NORACE: all threads of the array are joined
    }
}
