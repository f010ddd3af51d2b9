// Dining philosophers: the forks' state is guarded by the table, each philosopher counts his own meals.
package papers;

public class PhilosophersShape {
    static class Table {
        private final boolean[] taken = new boolean[3];

        synchronized void take(int left, int right) throws InterruptedException {
            while (taken[left] || taken[right]) { //~ NORACE: guarded by the table
                wait();
            }
            taken[left] = true; //~ NORACE: guarded by the table
            taken[right] = true; //~ NORACE: guarded by the table
        }

        synchronized void put(int left, int right) {
            taken[left] = false; //~ NORACE: guarded by the table
            taken[right] = false; //~ NORACE: guarded by the table
            notifyAll();
        }
    }

    static class Philosopher extends Thread {
        private final Table table;
        private final int seat;
        private int meals;

        Philosopher(Table table, int seat) {
            this.table = table;
            this.seat = seat;
        }

        @Override
        public void run() {
            int right = (seat + 1) % 3;
            try {
                for (int i = 0; i < 5; i++) {
                    table.take(seat, right);
                    meals++; //~ NORACE: the philosopher's own
                    table.put(seat, right);
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Table table = new Table();
        Philosopher[] guests = new Philosopher[3];
        for (int seat = 0; seat < guests.length; seat++) {
            guests[seat] = new Philosopher(table, seat);
            guests[seat].start();
        }
        int meals = 0;
        for (Philosopher guest : guests) {
            guest.join();
            meals += guest.meals; //~ NORACE: after the join
        }
        System.out.println(meals);
    }
}
