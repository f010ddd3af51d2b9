// A project's own GuardedBy annotation, nested in the file, and a method declared @GuardedBy that is called without.
package annotations;

public class GuardedByOwnAnnotation {
    @interface GuardedBy {
        String value();
    }

    @GuardedBy("this")
    private int level;

    synchronized void raise() {
        adjust(1);
    }

    void lower() {
        adjust(-1);
    }

    @GuardedBy("this")
    private void adjust(int by) {
        level += by; //~ RACE: lower calls without the lock
    }

    public static void main(String[] args) throws Exception {
        GuardedByOwnAnnotation tank = new GuardedByOwnAnnotation();
        Thread other = new Thread(tank::raise);
        other.start();
        tank.lower();
        other.join();
    }
}
