// Two instances of a Thread subclass share a static total: the static is common, the instance fields are not.
package threads;

public class ThreadSubclass extends Thread {
    private static int total;
    private final int share;
    private int own;

    ThreadSubclass(int share) {
        this.share = share;
    }

    @Override
    public void run() {
        for (int i = 0; i < share; i++) {
            own++; //~ NORACE: each thread object has its own
            total++; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        ThreadSubclass a = new ThreadSubclass(20);
        ThreadSubclass b = new ThreadSubclass(30);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(a.own + b.own); //~ NORACE: after both joins
    }
}
