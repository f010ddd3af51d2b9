// A static count of all objects ever made, raised by the constructor: the object is new, the count is not.
package benign;

public class CountedInConstructor {
    static class Ticket {
        private static int made;
        private final int number;

        Ticket() {
            made++; //~ RACE
            number = made; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> System.out.println(new Ticket().number > 0));
        other.start();
        System.out.println(new Ticket().number > 0);
        other.join();
    }
}
