// Main joins a worker, whose method has joined the helper that it started.
package order;

public class JoinedWaitsForHelper {
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
            System.out.println(board.notes); //~ NORACE: the worker has waited for the helper
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
            Helper helper = new Helper(board);
            helper.start();
            try {
                helper.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Board board = new Board();
        Worker worker = new Worker(board);
        worker.start();
        worker.join();
        board.notes = 1; //~ NORACE: both have ended
    }
}
