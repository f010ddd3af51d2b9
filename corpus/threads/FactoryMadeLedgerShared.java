// The racy twin: the desk and the till keep the same ledger, each under a lock of its own.
package threads;

public class FactoryMadeLedgerShared {
    static class Ledger {
        private int total;

        private Ledger() {}

        static Ledger create() {
            return new Ledger();
        }

        void add(int amount) {
            total += amount; //~ RACE
        }
    }

    static class Desk {
        private final Ledger ledger;

        Desk(Ledger ledger) {
            this.ledger = ledger;
        }

        synchronized void pay(int amount) {
            ledger.add(amount);
        }
    }

    static class Till {
        private final Object lock = new Object();
        private final Ledger ledger;

        Till(Ledger ledger) {
            this.ledger = ledger;
        }

        void pay(int amount) {
            synchronized (lock) {
                ledger.add(amount);
            }
        }
    }

    public static void main(String[] args) {
        Ledger ledger = Ledger.create();
        Desk desk = new Desk(ledger);
        Till till = new Till(ledger);
        for (int i = 0; i < 4; i++) {
            new Thread(() -> {
                desk.pay(1);
                till.pay(2);
            }).start();
        }
    }
}
