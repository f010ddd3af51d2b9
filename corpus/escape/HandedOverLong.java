// A long that the constructor writes, behind a reference that is published without order: half of it may be seen.
package escape;

public class HandedOverLong {
    private static HandedOverLong current;
    private long stamp;

    HandedOverLong(long stamp) {
        this.stamp = stamp; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        Thread maker = new Thread(() -> {
            current = new HandedOverLong(1L << 40); //~ RACE
        });
        maker.start();
        HandedOverLong seen = current; //~ RACE
        if (seen != null && seen.stamp == 0) { //~ RACE
            System.out.println("?");
        }
        maker.join();
        System.out.println("done");
    }
}
