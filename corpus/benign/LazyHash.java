// The lazily computed hash of java.lang.String: an int, always the same value, so the race does no harm.
package benign;

public class LazyHash {
    private final String text;
    private int hash;

    LazyHash(String text) {
        this.text = text;
    }

    @Override
    public int hashCode() {
        int h = hash; //~ RACE: benign, idempotent 32-bit lazy initialisation
        if (h == 0) {
            for (char c : text.toCharArray()) {
                h = 31 * h + c;
            }
            hash = h; //~ RACE: benign, idempotent 32-bit lazy initialisation
        }
        return h;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LazyHash that && that.text.equals(text);
    }

    public static void main(String[] args) throws Exception {
        LazyHash name = new LazyHash("selvedge");
        Thread other = new Thread(name::hashCode);
        other.start();
        System.out.println(name.hashCode());
        other.join();
    }
}
