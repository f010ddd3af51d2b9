// The superclass guards its field by a protected lock; the subclass uses the same lock for its own method.
package locks;

public class LockInSuperclass {
    static class Account {
        protected final Object lock = new Object();
        protected int balance;

        void deposit(int amount) {
            synchronized (lock) {
                balance += amount; //~ NORACE: guarded by lock
            }
        }
    }

    static class Savings extends Account {
        void addInterest() {
            synchronized (lock) {
                balance += balance / 10; //~ NORACE: guarded by the inherited lock
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Savings account = new Savings();
        Thread other = new Thread(account::addInterest);
        other.start();
        account.deposit(5);
        other.join();
        System.out.println(account.balance);
    }
}
