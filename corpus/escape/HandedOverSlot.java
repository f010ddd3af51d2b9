// An object is passed on through the element of an array, which orders nothing.
package escape;

public class HandedOverSlot {
    private int number;

    HandedOverSlot(int number) {
        this.number = number; //~ RACE
    }

    int number() {
        return number; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        HandedOverSlot[] slots = new HandedOverSlot[1];
        Thread maker = new Thread(() -> {
            slots[0] = new HandedOverSlot(7); //~ RACE
        });
        maker.start();
        HandedOverSlot seen = slots[0]; //~ RACE
        if (seen != null && seen.number() != 7) {
            System.out.println("?");
        }
        maker.join();
        System.out.println("done");
    }
}
