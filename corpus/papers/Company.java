// Threads act on a company whose warehouses are updated without a lock. Company and its array are locked, managers and
// transactions belong to one thread each; what races is in the warehouses and what they own.
package papers;

import java.util.ArrayList;
import java.util.List;

public class Company {
    static Company company;

    private final Warehouse[] warehouses = new Warehouse[10];
    private int count;
    private final List<Manager> managers = new ArrayList<>();

    synchronized void addWarehouse() {
        warehouses[count++] = new Warehouse(); //~ NORACE: guarded by the company
    }

    synchronized void addManager(Manager manager) {
        managers.add(manager); //~ NORACE: guarded by the company
    }

    synchronized Warehouse warehouse(int i) {
        return warehouses[i]; //~ NORACE: guarded by the company
    }

    static class Warehouse {
        private int updates;
        private final Stock stock = new Stock();

        void update(int item) {
            updates++; //~ RACE
            stock.put(item);
        }

        synchronized Stock get() {
            return stock;
        }
    }

    static class Stock {
        private int last;

        void put(int item) {
            last = item; //~ RACE: update holds no lock
        }

        int last() {
            return last; //~ RACE: get's lock is given back before this
        }
    }

    static class Manager {
        private int number;
        private final Transaction[] recent = new Transaction[10];

        void init(int warehouse) {
            number = warehouse; //~ NORACE: the creating thread's own
        }

        void go() {
            Transaction transaction = new Transaction();
            recent[0] = transaction; //~ NORACE: the manager's own array
            transaction.init(number); //~ NORACE: the creating thread's own
            transaction.process();
        }
    }

    static class Transaction {
        private Warehouse warehouse;

        void init(int number) {
            warehouse = company.warehouse(number); //~ NORACE: the creating thread's own
        }

        void process() {
            Stock stock = warehouse.get(); //~ NORACE: the creating thread's own
            warehouse.update(stock.last() + 1);
        }
    }

    public static void main(String[] args) throws Exception {
        company = new Company(); //~ NORACE: before the threads start
        company.addWarehouse();
        company.addWarehouse();
        List<Thread> threads = new ArrayList<>();
        for (int w = 0; w < 2; w++) {
            for (int t = 0; t < 2; t++) {
                final int number = w;
                Thread thread = new Thread(() -> {
                    Manager manager = new Manager();
                    manager.init(number);
                    company.addManager(manager);
                    manager.go();
                });
                threads.add(thread);
                thread.start();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
