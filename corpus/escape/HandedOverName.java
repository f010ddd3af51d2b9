// A user is cached without order: another thread may find one without a name.
package escape;

public class HandedOverName {
    private static HandedOverName cached;
    private String name;

    HandedOverName(String name) {
        this.name = name; //~ RACE
    }

    static HandedOverName get() {
        HandedOverName found = cached; //~ RACE
        if (found == null) {
            found = new HandedOverName("root");
            cached = found; //~ RACE
        }
        return found;
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> get().name.length()); //~ RACE
        other.start();
        int length = get().name.length(); //~ RACE
        other.join();
        System.out.println(length);
    }
}
