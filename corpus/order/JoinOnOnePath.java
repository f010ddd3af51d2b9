// The join stands on one branch only: on the other path the read is not ordered.
package order;

public class JoinOnOnePath {
    private static int rows;

    public static void main(String[] args) throws InterruptedException {
        boolean wait = args.length > 0;
        Thread loader = new Thread(() -> {
            rows = 10; //~ RACE
        });
        loader.start();
        if (wait) {
            loader.join();
        }
        System.out.println(rows >= 0); //~ RACE
        loader.join();
    }
}
