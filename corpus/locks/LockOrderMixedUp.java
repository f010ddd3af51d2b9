// Meant to lock both accounts; the second choice is the wrong way round: one is locked twice, the other not.
package locks;

public class LockOrderMixedUp {
    static class Account {
        final int id;
        int balance = 100;

        Account(int id) {
            this.id = id;
        }
    }

    static void transfer(Account from, Account to, int amount) {
        Account first = from.id < to.id ? from : to;
        Account second = first == from ? from : to;
        synchronized (first) {
            synchronized (second) {
                from.balance -= amount; //~ RACE
                to.balance += amount; //~ RACE
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Account ann = new Account(1);
        Account bob = new Account(2);
        Account eve = new Account(3);
        Thread a = new Thread(() -> transfer(ann, bob, 10));
        Thread b = new Thread(() -> transfer(bob, eve, 25));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
