// The initialisation-on-demand holder: class initialisation is locked by the JVM and ordered before every use.
package order;

public class HolderIdiom {
    private int uses;
    private final int limit;

    private HolderIdiom() {
        limit = 10;
        uses = 1; //~ NORACE: in the class initialiser's thread, before it is published
    }

    private static class Holder {
        static final HolderIdiom INSTANCE = new HolderIdiom();
    }

    static HolderIdiom get() {
        return Holder.INSTANCE;
    }

    int room() {
        return limit - uses; //~ NORACE: never written after class initialisation
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> get().room());
        Thread b = new Thread(() -> get().room());
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(get().room());
    }
}
