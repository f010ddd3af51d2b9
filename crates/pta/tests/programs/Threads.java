// Threads by subclass, by task, by lambda; what they share.
public class Threads {
    static class Shared {
        Object value;
        synchronized void put(Object value) { this.value = value; }
    }

    static class Worker extends Thread {
        private final Shared shared;
        Worker(Shared shared) { this.shared = shared; }
        public void run() { shared.put(this); }
    }

    static class Task implements Runnable {
        Shared shared;
        public void run() { shared.put(new Task()); }
    }

    static Object sink;

    public static void main(String[] arguments) throws InterruptedException {
        Shared one = new Shared(), other = new Shared();
        Worker worker = new Worker(one);
        worker.start();
        Task task = new Task();
        task.shared = other;
        Thread thread = new Thread(task);
        thread.start();
        Thread third = new Thread(() -> { one.put(other); sink = other.value; });
        third.start();
        worker.join();
        sink = one.value;
        sink = Thread.currentThread();
    }
}
