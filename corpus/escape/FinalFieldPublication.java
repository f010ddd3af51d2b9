// The same with a final field: the reference still races, but whoever gets it sees the final field's value.
package escape;

public class FinalFieldPublication {
    private static FinalFieldPublication current;
    private final int width;

    FinalFieldPublication(int width) {
        this.width = width; //~ NORACE: final, frozen at the end of the constructor
    }

    public static void main(String[] args) throws Exception {
        Thread maker = new Thread(() -> {
            current = new FinalFieldPublication(8); //~ RACE
        });
        maker.start();
        FinalFieldPublication seen = current; //~ RACE
        if (seen != null && seen.width < 0) { //~ NORACE: final field
            System.out.println("?");
        }
        maker.join();
    }
}
