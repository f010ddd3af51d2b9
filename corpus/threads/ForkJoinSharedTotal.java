// The same divide and conquer with a shared total instead of results: the leaves race on it.
package threads;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

public class ForkJoinSharedTotal extends RecursiveAction {
    private static long total;
    private final int[] numbers;
    private final int from;
    private final int to;

    ForkJoinSharedTotal(int[] numbers, int from, int to) {
        this.numbers = numbers;
        this.from = from;
        this.to = to;
    }

    @Override
    protected void compute() {
        if (to - from <= 8) {
            for (int i = from; i < to; i++) {
                total += numbers[i]; //~ RACE
            }
            return;
        }
        int middle = (from + to) / 2;
        invokeAll(
            new ForkJoinSharedTotal(numbers, from, middle),
            new ForkJoinSharedTotal(numbers, middle, to));
    }

    public static void main(String[] args) {
        int[] numbers = new int[64];
        java.util.Arrays.fill(numbers, 1);
        new ForkJoinPool(2).invoke(new ForkJoinSharedTotal(numbers, 0, numbers.length));
        System.out.println(total <= 64); //~ NORACE: invoke waits for all parts
    }
}
