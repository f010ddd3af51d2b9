// Anonymous Runnables capture the same account: deposit and withdrawal run in parallel without a lock.
package threads;

public class AnonymousClasses {
    static class Account {
        int balance = 100;
    }

    public static void main(String[] args) throws Exception {
        final Account account = new Account();
        Thread payer = new Thread(new Runnable() {
            @Override
            public void run() {
                account.balance -= 30; //~ RACE
            }
        });
        Thread payee = new Thread() {
            @Override
            public void run() {
                account.balance += 50; //~ RACE
            }
        };
        payer.start();
        payee.start();
        payer.join();
        payee.join();
        System.out.println(account.balance > 0); //~ NORACE: after both joins
    }
}
