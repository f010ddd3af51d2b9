// Published through a plain static field: the reference races, and with it the fields that the constructor wrote.
package escape;

public class UnsafePublication {
    private static UnsafePublication current;
    private int width;

    UnsafePublication(int width) {
        this.width = width; //~ RACE missed: accesses of a constructor to its object are left out
    }

    public static void main(String[] args) throws Exception {
        Thread maker = new Thread(() -> {
            current = new UnsafePublication(8); //~ RACE
        });
        maker.start();
        UnsafePublication seen = current; //~ RACE
        if (seen != null && seen.width < 0) { //~ RACE missed: accesses of a constructor to its object are left out
            System.out.println("?");
        }
        maker.join();
    }
}
