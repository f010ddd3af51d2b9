/** Cells that stay with a thread, and cells that get out by a static field, a constructor argument, a capture. */
public class Escaping {
    static class Cell {
        int value;

        void add(int n) {
            value += n; // pair: one of the cells is shared
        }
    }

    static class Private {
        int value;
    }

    static class Stored {
        int value;
    }

    static class Captured {
        int value;
    }

    static class Given {
        int value;
    }

    static class Holder {
        Stored inner = new Stored(); // pair: order is not considered here
    }

    static Holder global;

    static class Task implements Runnable {
        final Given given;

        Task(Given given) {
            this.given = given;
        }

        public void run() {
            Private mine = new Private();
            mine.value++;
            given.value++; // pair
            Cell own = new Cell();
            own.add(1);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Given given = new Given();
        global = new Holder(); // pair
        for (int i = 0; i < 2; i++) {
            new Thread(new Task(given)).start();
        }
        Captured captured = new Captured();
        Thread lambda = new Thread(() -> {
            captured.value++; // pair
            global.inner.value++; // pair
        });
        lambda.start();
        captured.value = 7; // pair
        global.inner.value = 1; // pair
        Private mine = new Private();
        mine.value = 3;
        Cell shared = new Cell();
        Runnable both = () -> shared.add(2);
        new Thread(both).start();
        new Thread(both).start();
    }
}
