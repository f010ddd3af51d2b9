// A RecursiveTask that returns its part of the sum: parts travel as results of join, nothing is shared and written.
package threads;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

public class ForkJoinSum extends RecursiveTask<Long> {
    private final int[] numbers;
    private final int from;
    private final int to;

    ForkJoinSum(int[] numbers, int from, int to) {
        this.numbers = numbers;
        this.from = from;
        this.to = to;
    }

    @Override
    protected Long compute() {
        if (to - from <= 8) {
            long sum = 0;
            for (int i = from; i < to; i++) {
                sum += numbers[i]; //~ NORACE: written before the tasks start
            }
            return sum;
        }
        int middle = (from + to) / 2;
        ForkJoinSum left = new ForkJoinSum(numbers, from, middle);
        ForkJoinSum right = new ForkJoinSum(numbers, middle, to);
        left.fork();
        return right.compute() + left.join();
    }

    public static void main(String[] args) {
        int[] numbers = new int[64];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i; //~ NORACE: before the tasks start
        }
        System.out.println(new ForkJoinPool(2).invoke(new ForkJoinSum(numbers, 0, numbers.length)));
    }
}
