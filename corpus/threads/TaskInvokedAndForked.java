// Two tasks of one kind: one is forked, the other is run by main itself, at the same time.
package threads;

import java.util.concurrent.RecursiveAction;

public class TaskInvokedAndForked {
    private static int done;

    static class Step extends RecursiveAction {
        @Override
        protected void compute() {
            done++; //~ RACE
        }
    }

    public static void main(String[] args) {
        Step[] steps = new Step[2];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = new Step();
        }
        steps[0].fork();
        steps[1].invoke();
        steps[0].join();
    }
}
