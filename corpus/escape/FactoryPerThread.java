// All threads get their parser from the same factory line, but each gets a new one.
package escape;

public class FactoryPerThread {
    static class Parser {
        private int position;

        int parse(String text) {
            position = 0; //~ NORACE: a new parser for each caller
            while (position < text.length()) { //~ NORACE: a new parser for each caller
                position++; //~ NORACE: a new parser for each caller
            }
            return position;
        }
    }

    static Parser newParser() {
        return new Parser();
    }

    public static void main(String[] args) throws Exception {
        Runnable work = () -> newParser().parse("some text");
        Thread a = new Thread(work);
        Thread b = new Thread(work);
        a.start();
        b.start();
        System.out.println(newParser().parse("abc"));
        a.join();
        b.join();
    }
}
