// Transfers take both accounts' locks in a fixed order; each balance is always under its own account's lock.
package locks;

public class NestedLocks {
    static class Account {
        final int id;
        int balance = 100;

        Account(int id) {
            this.id = id;
        }
    }

    static void transfer(Account from, Account to, int amount) {
        Account first = from.id < to.id ? from : to;
        Account second = first == from ? to : from;
        synchronized (first) {
            synchronized (second) {
                from.balance -= amount; //~ NORACE: both accounts are locked
                to.balance += amount; //~ NORACE: both accounts are locked
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
        System.out.println(ann.balance + " " + bob.balance);
    }
}
