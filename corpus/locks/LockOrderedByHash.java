// Both accounts are locked in an order that an if decides; the balances change in methods of the account.
package locks;

public class LockOrderedByHash {
    static class Account {
        private final int id;
        private int balance = 100;

        Account(int id) {
            this.id = id;
        }

        void add(int amount) {
            balance += amount; //~ NORACE: whoever calls it has locked the account
        }
    }

    static void transfer(Account from, Account to, int amount) {
        Account low;
        Account high;
        if (from.id < to.id) {
            low = from;
            high = to;
        } else {
            low = to;
            high = from;
        }
        synchronized (low) {
            synchronized (high) {
                from.add(-amount);
                to.add(amount);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Account ann = new Account(1);
        Account bob = new Account(2);
        Thread a = new Thread(() -> transfer(ann, bob, 10));
        Thread b = new Thread(() -> transfer(bob, ann, 25));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(ann.balance + bob.balance); //~ NORACE: after the joins
    }
}
