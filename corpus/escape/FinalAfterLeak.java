// A constructor lets others know the object before it writes the final field.
package escape;

public class FinalAfterLeak {
    static FinalAfterLeak latest;
    private final int size;

    FinalAfterLeak(int given) {
        latest = this; //~ RACE: nothing orders it with the read
        size = given; //~ RACE: others may know the object already
    }

    public static void main(String[] args) {
        new Thread(() -> {
            FinalAfterLeak seen = latest; //~ RACE: nothing orders it with the write
            if (seen != null) {
                System.out.println(seen.size); //~ RACE: may come before the write
            }
        }).start();
        new FinalAfterLeak(3);
    }
}
