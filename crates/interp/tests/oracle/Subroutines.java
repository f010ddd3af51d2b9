/** A template: the test puts hand-written bytecode with instructions that javac does not emit in place of the stubs. */
public class Subroutines {
    static int count;

    static int simple(int n) {
        return 0;
    }

    static int tryFinally(int n) {
        return 0;
    }

    static int nested(int n) {
        return 0;
    }

    static int loop(int n) {
        return 0;
    }

    static int odd(int a, int b) {
        return 0;
    }

    static String attempt(int n) {
        try {
            return "" + tryFinally(n);
        } catch (ArithmeticException e) {
            return e.getMessage();
        }
    }

    public static void main(String[] args) {
        for (int n = 0; n < 4; n++) {
            System.out.println(simple(n) + " " + attempt(n) + " " + nested(n) + " " + loop(n) + " " + odd(n, 9) + " " + count);
        }
    }
}
