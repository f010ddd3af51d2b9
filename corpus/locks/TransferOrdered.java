// selvedge: library=locks.TransferOrdered
// Accounts that transfer by taking both locks in the order of their numbers.
package locks;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

public class TransferOrdered {
    private final ConcurrentMap<Integer, Account> accounts = new ConcurrentHashMap<>();

    public void open(int number, long amount) {
        accounts.putIfAbsent(number, new Account(number, amount));
    }

    public boolean transfer(int from, int to, long amount) {
        Account source = accounts.get(from);
        Account target = accounts.get(to);
        if (source == null || target == null || source == target) {
            return false;
        }
        Account first = source.number < target.number ? source : target;
        Account second = first == source ? target : source;
        first.lock.lock();
        try {
            second.lock.lock();
            try {
                if (source.balance < amount) { //~ NORACE: both locks are held
                    return false;
                }
                source.balance -= amount; //~ NORACE: both locks are held
                target.balance += amount; //~ NORACE: both locks are held
                return true;
            } finally {
                second.lock.unlock();
            }
        } finally {
            first.lock.unlock();
        }
    }

    public long balance(int number) {
        Account account = accounts.get(number);
        account.lock.lock();
        try {
            return account.balance; //~ NORACE: its lock is held
        } finally {
            account.lock.unlock();
        }
    }

    private static final class Account {
        final int number;
        final Lock lock = new ReentrantLock();
        long balance;

        Account(int number, long balance) {
            this.number = number;
            this.balance = balance;
        }
    }
}
