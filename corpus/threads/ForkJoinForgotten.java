// The parts are forked and never joined: the root may end while they still add to the total.
package threads;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

public class ForkJoinForgotten extends RecursiveAction {
    private static long total;
    private final int depth;

    ForkJoinForgotten(int depth) {
        this.depth = depth;
    }

    @Override
    protected void compute() {
        if (depth == 0) {
            total++; //~ RACE
            return;
        }
        new ForkJoinForgotten(depth - 1).fork();
        new ForkJoinForgotten(depth - 1).fork();
    }

    public static void main(String[] args) {
        new ForkJoinPool(2).invoke(new ForkJoinForgotten(3));
        System.out.println(total <= 8); //~ RACE: parts may still run
    }
}
