// Two owners get an object from the same static factory, and each guards its own with a lock of its own. A
// factory stands for new: what one call made has nothing to do with what the other made.
package threads;

public class FactoryMadeLedgers {
    static class Ledger {
        private int total;

        private Ledger() {}

        static Ledger create() {
            return new Ledger();
        }

        void add(int amount) {
            total += amount; //~ NORACE: each ledger is guarded by the lock of its owner
        }

        int total() {
            return total;
        }
    }

    static class Desk {
        private final Ledger ledger = Ledger.create();

        synchronized void pay(int amount) {
            ledger.add(amount);
        }

        synchronized int sum() {
            return ledger.total();
        }
    }

    static class Till {
        private final Object lock = new Object();
        private final Ledger ledger = Ledger.create();

        void pay(int amount) {
            synchronized (lock) {
                ledger.add(amount);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Desk desk = new Desk();
        Till till = new Till();
        Thread[] clerks = new Thread[4];
        for (int i = 0; i < clerks.length; i++) {
            clerks[i] = new Thread(() -> {
                desk.pay(1);
                till.pay(2);
            });
            clerks[i].start();
        }
        for (Thread clerk : clerks) {
            clerk.join();
        }
        System.out.println(desk.sum());
    }
}
