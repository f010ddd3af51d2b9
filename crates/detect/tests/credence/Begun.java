package credence;

import java.util.ArrayList;
import java.util.List;

/** What `main` sets up before the thread that uses it is started, and what it changes later; functions that are called from a list. */
public class Begun {
    private static int unsureOption;
    private static int loudOption;
    private static int quietAmongMany;
    private static int loudAlone;

    static class Reader extends Thread {
        @Override
        public void run() {
            if (unsureOption + loudOption > 0) {
                System.out.println(unsureOption);
            }
        }
    }

    static class Teller extends Thread {
        private int quietTold;

        @Override
        public void run() {
            quietTold++;
            quietAmongMany++;
            loudAlone++;
        }
    }

    /** The library calls its `toString` as it calls that of others. */
    static class Quiet {
        @Override
        public String toString() {
            return "quiet";
        }
    }

    /** Starts the thread where the library asks for its text. */
    static class Starter {
        @Override
        public String toString() {
            new Reader().start();
            return "started";
        }
    }

    private static final List<Runnable> MANY = new ArrayList<>();

    private static void callOne(Runnable function) {
        function.run();
    }

    public static void main(String[] args) {
        String.valueOf(new Quiet());
        unsureOption = args.length;
        String.valueOf(new Starter());
        loudOption = args.length;
        MANY.add(() -> quietAmongMany++);
        MANY.add(() -> System.out.println(1));
        MANY.add(() -> System.out.println(2));
        MANY.add(() -> System.out.println(3));
        MANY.add(() -> System.out.println(4));
        // A thread that is called as a function: nobody means to.
        Teller teller = new Teller();
        teller.start();
        MANY.add(teller);
        for (Runnable function : MANY) {
            function.run();
        }
        callOne(() -> loudAlone++);
    }
}
