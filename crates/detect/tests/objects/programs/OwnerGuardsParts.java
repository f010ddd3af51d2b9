// A ledger locks itself around its book, which is made of pages. Nobody else ever sees book or pages, so the lock on the ledger guards
// them all, two levels down and without a lock of their own.

public class OwnerGuardsParts {
    static class Ledger {
        private final Book book = new Book();

        synchronized void enter(int amount) {
            book.enter(amount);
        }

        synchronized int total() {
            return book.total();
        }
    }

    static class Book {
        private Page current = new Page();
        private int full;

        void enter(int amount) {
            if (current.lines == 10) {
                full += current.sum;
                current = new Page();
            }
            current.add(amount);
        }

        int total() {
            return full + current.sum;
        }
    }

    static class Page {
        int lines;
        int sum;

        void add(int amount) {
            lines++;
            sum += amount;
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            Ledger ledger = new Ledger();
            for (int j = 0; j < 2; j++) {
                new Thread(() -> {
                    ledger.enter(1);
                    System.out.println(ledger.total());
                }).start();
            }
        }
    }
}
