// What a field is initialised with is written by the constructor, too: who gets the object without order may see 0.
package escape;

public class HandedOverDefault {
    private static HandedOverDefault current;
    private int retries = 3; //~ RACE

    public static void main(String[] args) throws Exception {
        Thread maker = new Thread(() -> {
            current = new HandedOverDefault(); //~ RACE
        });
        maker.start();
        HandedOverDefault seen = current; //~ RACE
        if (seen != null && seen.retries == 0) { //~ RACE
            System.out.println("?");
        }
        maker.join();
        System.out.println("done");
    }
}
