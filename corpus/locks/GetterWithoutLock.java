// The setter locks and the getter does not: the commonest mistake of all.
package locks;

public class GetterWithoutLock {
    private long balance;

    synchronized void deposit(long amount) {
        balance += amount; //~ RACE
    }

    long balance() {
        return balance; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        GetterWithoutLock account = new GetterWithoutLock();
        Thread saver = new Thread(() -> account.deposit(10));
        saver.start();
        System.out.println(account.balance() >= 0);
        saver.join();
    }
}
