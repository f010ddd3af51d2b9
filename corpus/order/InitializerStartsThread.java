// An initialiser starts a thread with the table that it goes on filling.
package order;

public class InitializerStartsThread {
    static class Tables {
        static final int[] SQUARES = new int[8];

        static {
            int[] squares = SQUARES;
            new Thread(() -> System.out.println(squares[3])).start(); //~ RACE
            for (int i = 0; i < 8; i++) {
                squares[i] = i * i; //~ RACE
            }
        }
    }

    public static void main(String[] args) {
        System.out.println(Tables.SQUARES[2]); //~ NORACE
    }
}
