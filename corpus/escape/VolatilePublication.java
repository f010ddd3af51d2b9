// Published through a volatile static field: who sees the reference sees what the constructor wrote.
package escape;

public class VolatilePublication {
    private static volatile VolatilePublication current;
    private int width;

    VolatilePublication(int width) {
        this.width = width; //~ NORACE: before the volatile write
    }

    public static void main(String[] args) throws Exception {
        Thread maker = new Thread(() -> {
            current = new VolatilePublication(8); //~ NORACE: volatile
        });
        maker.start();
        VolatilePublication seen = current; //~ NORACE: volatile
        if (seen != null && seen.width < 0) { //~ NORACE: after the volatile read
            System.out.println("?");
        }
        maker.join();
    }
}
