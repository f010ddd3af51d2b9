// The same idea with the field read twice: the second read may still see 0, so this one is harmful.
package benign;

public class LazyHashReadTwice {
    private final String text;
    private int hash;

    LazyHashReadTwice(String text) {
        this.text = text;
    }

    int value() {
        if (hash == 0) { //~ RACE
            hash = text.length() * 31; //~ RACE
        }
        return hash; //~ RACE: may see 0 after the first read saw the value
    }

    public static void main(String[] args) throws Exception {
        LazyHashReadTwice name = new LazyHashReadTwice("selvedge");
        Thread other = new Thread(name::value);
        other.start();
        name.value();
        other.join();
    }
}
