// Calling run() instead of start() makes no thread at all: everything happens in main, one after the other.
package threads;

public class RunNotStart {
    private int value;

    public static void main(String[] args) {
        RunNotStart shared = new RunNotStart();
        Thread a = new Thread(() -> shared.value++); //~ NORACE: the thread is never started
        Thread b = new Thread(() -> shared.value++); //~ NORACE: the thread is never started
        a.run();
        b.run();
        System.out.println(shared.value);
    }
}
