/** A library: its clients share the object they call, what it keeps and what it gives out, not what it only works with. */
public class OpenEscape {
    public static class Part {
        public int value;
    }

    static class Scratch {
        int value;
    }

    private final Part part = new Part();

    private int count;

    public int work() {
        Scratch scratch = new Scratch();
        scratch.value = 3;
        scratch.value++;
        count++; // pair
        part.value++; // pair
        return scratch.value;
    }
}
