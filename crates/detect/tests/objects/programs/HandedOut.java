/** A library whose factory uses a method on what it makes, and hands it to callers, who use the same method. */
public class HandedOut {
    private int value;

    private HandedOut() {
        value = 1;
    }

    public void set(int value) {
        this.value = value;
    }

    public static HandedOut make() {
        HandedOut made = new HandedOut();
        made.set(2);
        return made;
    }
}
