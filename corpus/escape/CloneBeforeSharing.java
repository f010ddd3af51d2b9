// The array is cloned for the worker: the original goes on being changed by main.
package escape;

public class CloneBeforeSharing {
    public static void main(String[] args) throws Exception {
        int[] board = {1, 2, 3};
        int[] copy = board.clone();
        Thread solver = new Thread(() -> {
            copy[0] = 9; //~ NORACE: the solver's copy
        });
        solver.start();
        board[0] = 7; //~ NORACE: main's original
        solver.join();
        System.out.println(board[0] + copy[0]);
    }
}
