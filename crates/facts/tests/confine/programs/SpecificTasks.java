/** Runnables: each given to one thread, and one given to two. */
public class SpecificTasks {
    static class Once implements Runnable {
        int steps;
        final int[] made;
        final Inner inner = new Inner();

        Once(int[] made) {
            this.made = made;
        }

        public void run() {
            steps++;
            made[0]++;
            inner.value++;
        }
    }

    static class Inner {
        int value;
    }

    static class Twice implements Runnable {
        int steps;

        public void run() {
            steps++; // pair
        }
    }

    static class Common implements Runnable {
        final int[] common;

        Common(int[] common) {
            this.common = common;
        }

        public void run() {
            common[0]++; // pair
        }
    }

    static class Box {
        int value;
    }

    static class OtherBox {
        int value;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 4; i++) {
            new Thread(new Once(new int[4])).start();
        }
        Twice twice = new Twice();
        new Thread(twice).start();
        new Thread(twice).start();
        int[] common = new int[4];
        for (int i = 0; i < 4; i++) {
            new Thread(new Common(common)).start();
        }
        for (int i = 0; i < 4; i++) {
            Box box = new Box();
            new Thread(() -> box.value++).start();
        }
        OtherBox other = new OtherBox();
        for (int i = 0; i < 4; i++) {
            new Thread(() -> other.value++).start(); // pair
        }
    }
}
