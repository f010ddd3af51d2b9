// A task is handed to a thread that already runs, by a plain field: it may see the task without its flag.
package escape;

public class HandedOverFlag {
    static class Task {
        private boolean urgent;

        Task(boolean urgent) {
            this.urgent = urgent; //~ RACE
        }
    }

    private Task next;

    public static void main(String[] args) throws Exception {
        HandedOverFlag queue = new HandedOverFlag();
        Thread worker = new Thread(() -> {
            Task task = queue.next; //~ RACE
            if (task != null && !task.urgent) { //~ RACE
                System.out.println("?");
            }
        });
        worker.start();
        queue.next = new Task(true); //~ RACE
        worker.join();
        System.out.println("done");
    }
}
