// The subclass declares a lock of its own under the same name: it hides the inherited one and locks something else.
package locks;

public class LockHiddenBySubclass {
    static class Account {
        protected final Object lock = new Object();
        protected int balance;

        void deposit(int amount) {
            synchronized (lock) {
                balance += amount; //~ RACE
            }
        }
    }

    static class Savings extends Account {
        private final Object lock = new Object();

        void addInterest() {
            synchronized (lock) {
                balance += balance / 10; //~ RACE: the hiding lock
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Savings account = new Savings();
        Thread other = new Thread(account::addInterest);
        other.start();
        account.deposit(50);
        other.join();
    }
}
