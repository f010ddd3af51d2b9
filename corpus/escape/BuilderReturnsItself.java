// What a builder returns is the builder: another thread gets it by that name.
package escape;

public class BuilderReturnsItself {
    public static void main(String[] args) {
        StringBuilder text = new StringBuilder();
        StringBuilder same = text.append("a");
        new Thread(() -> same.append("b")).start(); //~ RACE
        text.append("c"); //~ RACE
    }
}
