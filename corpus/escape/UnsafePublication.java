// Published through a plain static field: the reference races, and with it the fields that the constructor wrote.
package escape;

public class UnsafePublication {
    private static UnsafePublication current;
    private int width;

    UnsafePublication(int width) {
        this.width = width; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        Thread maker = new Thread(() -> {
            current = new UnsafePublication(8); //~ RACE
        });
        maker.start();
        UnsafePublication seen = current; //~ RACE
        if (seen != null && seen.width < 0) { //~ RACE
            System.out.println("?");
        }
        maker.join();
    }
}
