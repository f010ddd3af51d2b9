// The example with update synchronized: no object race is left.
public class WarehousesMended extends Thread {
    static class Company {
        private final Warehouse[] all = new Warehouse[10];
        private int count;
        private Manager last;

        synchronized void open() {
            Warehouse warehouse = new Warehouse();
            all[count++] = warehouse;
        }

        synchronized void add(Manager manager) {
            last = manager;
        }

        synchronized Warehouse warehouse(int number) {
            return all[number];
        }
    }

    static class Warehouse {
        private int updates;
        private final Stock stock = new Stock();

        synchronized void update(int item) {
            updates++;
            stock.put(item);
        }

        synchronized int get() {
            return stock.last();
        }
    }

    static class Stock {
        private int last;

        void put(int item) {
            last = item;
        }

        int last() {
            return last;
        }
    }

    static class Manager {
        private int number;
        private Company company;
        private final Transaction[] recent = new Transaction[10];

        void init(int number, Company company) {
            this.number = number;
            this.company = company;
        }

        void go() {
            Transaction transaction = new Transaction();
            recent[0] = transaction;
            transaction.init(number, company);
            transaction.process();
        }
    }

    static class Transaction {
        private Company company;
        private Warehouse warehouse;

        void init(int number, Company company) {
            this.company = company;
            warehouse = company.warehouse(number);
        }

        void process() {
            int last = warehouse.get();
            warehouse.update(last + 1);
        }
    }

    static Company company;
    private final int number;

    WarehousesMended(int number) {
        this.number = number;
    }

    public static void main(String[] args) {
        company = new Company();
        for (int opened = 1; opened <= 3; opened++) {
            company.open();
            for (int number = 0; number < opened; number++) {
                new WarehousesMended(number).start();
            }
        }
    }

    @Override
    public void run() {
        Manager manager = new Manager();
        manager.init(number, company);
        company.add(manager);
        manager.go();
    }
}
