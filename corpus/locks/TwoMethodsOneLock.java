// Deposit and query are both synchronized on the account: the ordinary, right way.
package locks;

public class TwoMethodsOneLock {
    private long balance;

    synchronized void deposit(long amount) {
        balance += amount; //~ NORACE: guarded by this
    }

    long balance() {
        synchronized (this) {
            return balance; //~ NORACE: guarded by this
        }
    }

    public static void main(String[] args) throws Exception {
        TwoMethodsOneLock account = new TwoMethodsOneLock();
        Thread saver = new Thread(() -> account.deposit(10));
        saver.start();
        account.deposit(5);
        System.out.println(account.balance() >= 5);
        saver.join();
    }
}
