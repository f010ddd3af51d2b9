// The twin with a progress method that the main thread calls while the walker walks.
package escape;

public class ThreadFieldsAskedByOthers extends Thread {
    private int position;
    private int length = 100;

    @Override
    public void run() {
        for (int i = 0; i < length; i++) { //~ NORACE: length is never written after construction
            position = i; //~ RACE
        }
    }

    int percent() {
        return position * 100 / length; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        ThreadFieldsAskedByOthers walker = new ThreadFieldsAskedByOthers();
        walker.start();
        System.out.println(walker.percent() >= 0);
        walker.join();
    }
}
