// The same with a plain flag: neither the flag nor the data is ordered (the loop is bounded, since it might never end).
package order;

public class PlainFlag {
    private static int data;
    private static boolean ready;

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> {
            data = 42; //~ RACE
            ready = true; //~ RACE
        });
        writer.start();
        int rounds = 0;
        while (!ready && rounds < 1000) { //~ RACE
            rounds++;
        }
        System.out.println(data >= 0); //~ RACE
        writer.join();
    }
}
