// A cached description: the value is an immutable String, the same whoever computes it.
package benign;

public class CachedText {
    private final int x;
    private final int y;
    private String text;

    CachedText(int x, int y) {
        this.x = x;
        this.y = y;
    }

    @Override
    public String toString() {
        String t = text; //~ RACE: benign, immutable and idempotent
        if (t == null) {
            t = "(" + x + ", " + y + ")";
            text = t; //~ RACE: benign, immutable and idempotent
        }
        return t;
    }

    public static void main(String[] args) throws Exception {
        CachedText point = new CachedText(3, 4);
        Thread other = new Thread(point::toString);
        other.start();
        System.out.println(point);
        other.join();
    }
}
