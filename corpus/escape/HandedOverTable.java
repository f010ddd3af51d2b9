// An array that the constructor makes, behind a reference that is published without order: the field may still be null.
package escape;

public class HandedOverTable {
    private static HandedOverTable current;
    private String[] names;

    HandedOverTable(int size) {
        this.names = new String[size]; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        Thread maker = new Thread(() -> {
            current = new HandedOverTable(4); //~ RACE
        });
        maker.start();
        HandedOverTable seen = current; //~ RACE
        if (seen != null && seen.names.length != 4) { //~ RACE
            System.out.println("?");
        }
        maker.join();
        System.out.println("done");
    }
}
