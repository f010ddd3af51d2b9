package bank;

import java.util.HashMap;
import java.util.Map;

final class Bank {
    private final Map<Integer, Account> accounts = new HashMap<>();

    Account open(int number, String owner) {
        Account account = new Account(owner);
        accounts.put(number, account);
        return account;
    }

    Account find(int number) {
        return accounts.get(number);
    }

    long total() {
        long sum = 0;
        for (Account account : accounts.values()) {
            sum += account.balance();
        }
        return sum;
    }

    void transfer(int from, int to, long amount) {
        find(from).deposit(-amount);
        find(to).deposit(amount);
    }
}
