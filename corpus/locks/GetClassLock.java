// getClass() names the runtime class: objects of the subclass lock another class object than those of the superclass.
package locks;

public class GetClassLock {
    static class Counter {
        static int made;

        void count() {
            synchronized (getClass()) {
                made++; //~ RACE
            }
        }
    }

    static class SpecialCounter extends Counter {
    }

    public static void main(String[] args) throws Exception {
        Counter plain = new Counter();
        Counter special = new SpecialCounter();
        Thread a = new Thread(plain::count);
        Thread b = new Thread(special::count);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
