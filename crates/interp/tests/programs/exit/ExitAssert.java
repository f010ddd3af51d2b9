/** Errors and nested causes leave through several frames; overflow of the stack in main's callee is the last straw. */
public class ExitAssert {
    static void check(int n) {
        if (n > 3) throw new AssertionError("n is " + n);
        check(n + 1);
    }

    public static void main(String[] args) {
        try {
            check(0);
        } catch (AssertionError e) {
            System.out.println(e.getMessage());
            throw new RuntimeException("wrapped", e);
        } finally {
            System.out.println("cleanup");
        }
    }
}
