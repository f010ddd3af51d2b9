// The twin whose factory hands out one cached parser to everybody.
package escape;

public class FactoryCaches {
    static class Parser {
        private int position;

        int parse(String text) {
            int steps = 0;
            position = 0; //~ RACE
            while (position < text.length() && steps < 100) { //~ RACE
                position++; //~ RACE
                steps++;
            }
            return steps;
        }
    }

    private static final Parser CACHED = new Parser();

    static Parser parser() {
        return CACHED;
    }

    public static void main(String[] args) throws Exception {
        Runnable work = () -> parser().parse("some text");
        Thread a = new Thread(work);
        Thread b = new Thread(work);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
