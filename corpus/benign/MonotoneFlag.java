// A flag that only ever goes from false to true, set by whoever comes: every order of the writes gives the same.
package benign;

public class MonotoneFlag {
    private boolean warned;

    void use(int value) {
        if (value < 0 && !warned) { //~ RACE: benign, monotone flag
            warned = true; //~ RACE: benign, monotone flag
        }
    }

    public static void main(String[] args) throws Exception {
        MonotoneFlag api = new MonotoneFlag();
        Thread other = new Thread(() -> api.use(-1));
        other.start();
        api.use(-2);
        other.join();
        System.out.println(api.warned); //~ NORACE: after the join
    }
}
