// Message passing: plain data, then a volatile flag; the reader sees the flag first and then the data.
package order;

public class VolatileFlag {
    private static int data;
    private static volatile boolean ready;

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> {
            data = 42; //~ NORACE: before the volatile write
            ready = true; //~ NORACE: volatile
        });
        writer.start();
        while (!ready) { //~ NORACE: volatile
            Thread.onSpinWait();
        }
        System.out.println(data); //~ NORACE: after the flag was seen
        writer.join();
    }
}
