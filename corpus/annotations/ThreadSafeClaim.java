// The class calls itself @ThreadSafe and is not: a claim is no proof.
package annotations;

import javax.annotation.concurrent.ThreadSafe;

@ThreadSafe
public class ThreadSafeClaim {
    private int sequence;

    int next() {
        return ++sequence; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        ThreadSafeClaim ids = new ThreadSafeClaim();
        Thread a = new Thread(ids::next);
        Thread b = new Thread(ids::next);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
