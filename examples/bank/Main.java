package bank;

/** Two tellers pay into one account. The balance is always right; the number of deposits often is not. */
public final class Main {
    private static final int DEPOSITS = 100_000;

    public static void main(String[] args) throws InterruptedException {
        Account account = new Account();
        Runnable teller = () -> {
            for (int i = 0; i < DEPOSITS; i++) {
                account.deposit(1);
            }
        };
        Thread first = new Thread(teller, "first teller");
        Thread second = new Thread(teller, "second teller");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("balance " + account.balance() + ", deposits " + account.deposits());
    }
}
