// The accounts lock themselves: the map finds them, the account's monitor guards the balance.
package atomics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentMapAccountsLocked {
    static class Account {
        private int balance;

        synchronized void deposit(int amount) {
            balance += amount; //~ NORACE: guarded by the account
        }

        synchronized int balance() {
            return balance; //~ NORACE: guarded by the account
        }
    }

    private final Map<String, Account> accounts = new ConcurrentHashMap<>();

    public static void main(String[] args) throws Exception {
        ConcurrentMapAccountsLocked bank = new ConcurrentMapAccountsLocked();
        bank.accounts.put("ann", new Account());
        Thread a = new Thread(() -> bank.accounts.get("ann").deposit(1));
        Thread b = new Thread(() -> bank.accounts.get("ann").deposit(2));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(bank.accounts.get("ann").balance());
    }
}
