// A constructor calls a helper on another object of its class, which others know: that needs the lock.
package locks;

public class ConstructorCallsHelperOfOther {
    private int children;

    ConstructorCallsHelperOfOther(ConstructorCallsHelperOfOther parent) {
        count();
        if (parent != null) {
            parent.count();
        }
    }

    synchronized int children() {
        count();
        return children; //~ RACE
    }

    private void count() {
        children++; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        ConstructorCallsHelperOfOther root = new ConstructorCallsHelperOfOther(null);
        Thread maker = new Thread(() -> new ConstructorCallsHelperOfOther(root));
        maker.start();
        System.out.println(root.children());
        maker.join();
    }
}
