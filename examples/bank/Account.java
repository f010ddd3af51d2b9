package bank;

/** A balance and a count of deposits: the balance is guarded by the account's lock, the count is not. */
final class Account {
    private long balance;
    private int deposits;

    void deposit(long amount) {
        synchronized (this) {
            balance += amount;
        }
        // Two tellers may both read the same count here, and one deposit is then never counted.
        deposits++;
    }

    synchronized long balance() {
        return balance;
    }

    int deposits() {
        return deposits;
    }
}
