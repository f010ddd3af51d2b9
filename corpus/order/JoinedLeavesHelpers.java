// Main joins its workers, but each worker's method has started a helper that nobody joins.
package order;

public class JoinedLeavesHelpers {
    static class Board {
        int notes;
    }

    static class Helper extends Thread {
        final Board board;

        Helper(Board board) {
            this.board = board;
        }

        @Override
        public void run() {
            System.out.println(board.notes); //~ RACE: the helpers are not joined
        }
    }

    static class Worker extends Thread {
        final Board board;

        Worker(Board board) {
            this.board = board;
        }

        @Override
        public void run() {
            delegate();
        }

        void delegate() {
            new Helper(board).start();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Board board = new Board();
        Thread[] workers = new Thread[3];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(board);
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        board.notes = 1; //~ RACE: only the workers have ended
    }
}
