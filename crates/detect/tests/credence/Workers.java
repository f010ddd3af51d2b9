package credence;

import java.util.ArrayList;
import java.util.List;

/** Threads whose tasks have parts of their own, and tasks that are given one object. */
public class Workers {
    static class Part {
        private int partsOwn;

        void step() {
            partsOwn++;
        }
    }

    static class SharedPart {
        private int sharedByTasks;

        void step() {
            sharedByTasks++;
        }
    }

    static class Stage {
        private final Part part = new Part();

        void step() {
            part.step();
        }
    }

    static class Worker implements Runnable {
        private final Stage stage = new Stage();
        private final SharedPart shared;

        Worker(SharedPart shared) {
            this.shared = shared;
        }

        @Override
        public void run() {
            stage.step();
            shared.step();
        }
    }

    private static final List<Worker> WORKERS = new ArrayList<>();

    public static void main(String[] args) {
        SharedPart shared = new SharedPart();
        for (int i = 0; i < args.length; i++) {
            WORKERS.add(new Worker(shared));
        }
        for (Worker worker : WORKERS) {
            new Thread(worker).start();
        }
    }
}
