/** The main class fails to initialise: status 1, nothing printed. */
public class ExitInit {
    static final int VALUE = Integer.parseInt("no number");

    public static void main(String[] args) {
        System.out.println("never " + VALUE);
    }
}
