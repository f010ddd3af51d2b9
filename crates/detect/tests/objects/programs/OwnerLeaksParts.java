// As OwnerGuardsParts, but the ledger hands its book out, and whoever has it looks at it without the ledger's lock.

public class OwnerLeaksParts {
    static class Ledger {
        private final Book book = new Book();

        synchronized void enter(int amount) {
            book.enter(amount);
        }

        synchronized Book book() {
            return book;
        }
    }

    static class Book {
        private int sum;

        void enter(int amount) {
            sum += amount;
        }

        int total() {
            return sum;
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            Ledger ledger = new Ledger();
            for (int j = 0; j < 2; j++) {
                new Thread(() -> {
                    ledger.enter(1);
                    System.out.println(ledger.book().total());
                }).start();
            }
        }
    }
}
