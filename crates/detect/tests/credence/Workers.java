package credence;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

    static class Held {
        final Map<String, String> sharedByHolder = new HashMap<>();
    }

    /** Two references lead from a static field to the map. */
    static class Holder {
        final Held held = new Held();

        void put() {
            held.sharedByHolder.put("name", "value");
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
            HOLDER.put();
        }
    }

    private static final Holder HOLDER = new Holder();
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
