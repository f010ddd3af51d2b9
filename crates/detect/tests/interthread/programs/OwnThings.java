// Threads that keep things in fields of their own thread object, and what spoils it.
public class OwnThings {
    /** Everything is its own: the constructor prepares what the thread uses. */
    static class Safe extends Thread {
        private int steps;
        private final int[] buffer;

        Safe(int steps) {
            this.steps = steps; // @safe-init
            buffer = new int[4];
            fill(buffer);
        }

        private void fill(int[] into) {
            into[0] = 1; // @safe-fill
        }

        @Override
        public void run() {
            while (steps > 0) { // @safe-test
                steps = steps - 1; // @safe-step
                buffer[1] = steps; // @safe-use
            }
        }
    }

    /** The constructor lets others know the thread. */
    static class Leaked extends Thread {
        static Leaked last;
        private int steps;

        Leaked() {
            last = this;
            steps = 3; // @leaked-init
        }

        @Override
        public void run() {
            steps = 0; // @leaked-use
        }
    }

    /** The constructor starts the thread. */
    static class StartsItself extends Thread {
        private int steps;

        StartsItself() {
            start();
            steps = 3; // @self-init
        }

        @Override
        public void run() {
            steps = 0; // @self-use
        }
    }

    /** Others look at the field, too. */
    static class Asked extends Thread {
        private int done;

        Asked() {
            done = 1; // @asked-init
        }

        @Override
        public void run() {
            done = 2; // @asked-use
        }

        int done() {
            return done; // @asked-get
        }
    }

    /** Somebody else calls its run, beside the start. */
    static class Called extends Thread {
        private int steps;

        @Override
        public void run() {
            steps = 1; // @called-use
        }
    }

    /** The array that it works on is another's, too. */
    static class Given extends Thread {
        private final int[] things;

        Given(int[] things) {
            this.things = things;
        }

        @Override
        public void run() {
            things[0] = 1; // @given-use
        }
    }

    /** It makes a thread in turn, and gives it what was its own. */
    static class Parent extends Thread {
        private final int[] own = new int[2];

        @Override
        public void run() {
            Child child = new Child(own);
            child.start();
            own[0] = 1; // @parent-use
        }
    }

    static class Child extends Thread {
        private final int[] inherited;

        Child(int[] inherited) {
            this.inherited = inherited;
        }

        @Override
        public void run() {
            inherited[0] = 2; // @child-use
        }
    }

    /** It is made by one thread and started by another, which finds it in a plain field. */
    static class Found extends Thread {
        static Found next;
        private int steps;

        Found() {
            steps = 3; // @found-init
        }

        @Override
        public void run() {
            steps = 0; // @found-use
        }
    }

    static class Finder extends Thread {
        @Override
        public void run() {
            Found found = Found.next;
            if (found != null) {
                found.start();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            new Safe(i).start();
        }
        new Leaked().start();
        Leaked.last.join();
        new StartsItself().join();
        Asked asked = new Asked();
        asked.start();
        System.out.println(asked.done());
        Called called = new Called();
        called.start();
        called.run();
        int[] things = new int[3];
        new Given(things).start();
        things[0] = 2; // @given-other
        new Parent().start();
        new Finder().start();
        Found.next = new Found();
    }
}
