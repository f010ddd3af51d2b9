// Client-side locking: the account locks the object that it uses.
public class AccountClient {
    static class Account {
        private final AccountImpl impl = new AccountImpl();
        private final Object lock = new Object();

        void update(int amount) {
            synchronized (impl) {
                int balance = impl.get();
                impl.put(balance + amount);
            }
        }
    }

    static class AccountImpl {
        private int balance;

        int get() {
            return balance;
        }

        void put(int amount) {
            balance = amount;
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            Account account = new Account();
            for (int j = 0; j < 2; j++) {
                new Client(account).start();
            }
        }
    }

    static class Client extends Thread {
        private final Account account;

        Client(Account account) {
            this.account = account;
        }

        @Override
        public void run() {
            account.update(1);
        }
    }
}
