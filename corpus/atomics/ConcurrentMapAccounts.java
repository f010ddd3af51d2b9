// Account objects in a concurrent map: the look-up is safe, the account's own field has no protection.
package atomics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentMapAccounts {
    static class Account {
        int balance;
    }

    private final Map<String, Account> accounts = new ConcurrentHashMap<>();

    void deposit(String owner, int amount) {
        Account account = accounts.get(owner); //~ NORACE: a concurrent map
        account.balance += amount; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        ConcurrentMapAccounts bank = new ConcurrentMapAccounts();
        bank.accounts.put("ann", new Account());
        Thread a = new Thread(() -> bank.deposit("ann", 1));
        Thread b = new Thread(() -> bank.deposit("ann", 2));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
