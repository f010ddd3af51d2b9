// Of two forked tasks the first fails: invokeAll throws what it throws, and the second may still run.
package order;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

public class ForkedFails {
    private static int steps;

    static class Fails extends RecursiveAction {
        private static final long serialVersionUID = 1;

        @Override
        protected void compute() {
            throw new IllegalStateException("as always");
        }
    }

    static class Counts extends RecursiveAction {
        private static final long serialVersionUID = 1;

        @Override
        protected void compute() {
            steps++; //~ RACE
        }
    }

    static class Both extends RecursiveAction {
        private static final long serialVersionUID = 1;

        @Override
        protected void compute() {
            try {
                invokeAll(new Fails(), new Counts());
            } catch (IllegalStateException e) {
                System.out.println("one has failed");
            }
            steps++; //~ RACE: the other one may still count
        }
    }

    public static void main(String[] args) {
        new ForkJoinPool(4).invoke(new Both());
    }
}
