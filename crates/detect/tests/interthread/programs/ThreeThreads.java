// The shape of the paper's Figure 2: main, and two threads that meet in a cell under different locks.
public class ThreeThreads {
    static class Cell {
        int f;
        int g;
    }

    static class Shop {
        synchronized void foo(Cell a, Cell b, Object p) {
            a.f = 50; // @T11
            synchronized (p) {
                b.g = b.f; // @T14
            }
        }

        void bar(Cell d, Object q) {
            synchronized (q) {
                d.f = 10; // @T21
            }
        }
    }

    static class First extends Thread {
        private final Shop shop;
        private final Cell cell;
        private final Object lock;

        First(Shop shop, Cell cell, Object lock) {
            this.shop = shop;
            this.cell = cell;
            this.lock = lock;
        }

        @Override
        public void run() {
            shop.foo(cell, cell, lock);
        }
    }

    static class Second extends Thread {
        private final Shop shop;
        private final Cell cell;
        private final Object lock;

        Second(Shop shop, Cell cell, Object lock) {
            this.shop = shop;
            this.cell = cell;
            this.lock = lock;
        }

        @Override
        public void run() {
            shop.bar(cell, lock);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Cell x = new Cell();
        x.f = 100; // @T01
        Shop shop = new Shop();
        Object p = new Object();
        Object q = new Object();
        Thread t1 = new First(shop, x, p);
        Thread t2 = new Second(shop, x, q);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println(x.f); // @T06
    }
}
