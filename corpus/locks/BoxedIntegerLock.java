// Locking a boxed counter that is replaced by every increment: each thread soon locks another Integer. The field
// itself is read outside any lock.
package locks;

public class BoxedIntegerLock {
    private Integer count = 1000;

    void increment() {
        synchronized (count) { //~ RACE
            count = count + 1; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        BoxedIntegerLock counter = new BoxedIntegerLock();
        Thread a = new Thread(counter::increment);
        Thread b = new Thread(counter::increment);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
