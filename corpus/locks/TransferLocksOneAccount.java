// The transfer locks only the payer: the payee's balance is changed without its lock.
package locks;

public class TransferLocksOneAccount {
    static class Account {
        int balance = 100;
    }

    static void transfer(Account from, Account to, int amount) {
        synchronized (from) {
            from.balance -= amount; //~ RACE
            to.balance += amount; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        Account ann = new Account();
        Account bob = new Account();
        Thread a = new Thread(() -> transfer(ann, bob, 10));
        Thread b = new Thread(() -> transfer(bob, ann, 25));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
