package bank;

final class Account {
    private long balance;
    private final String owner;

    Account(String owner) {
        this.owner = owner;
    }

    synchronized void deposit(long amount) {
        balance += amount;
    }

    long balance() {
        return balance;
    }

    boolean isEmpty() {
        return balance == 0;
    }
}
