// Waiting until isAlive() answers false orders like a join, by the language's own rule.
package order;

public class IsAliveLoop {
    private static int loaded;

    public static void main(String[] args) {
        Thread loader = new Thread(() -> {
            loaded = 5; //~ NORACE: main waits for the end
        });
        loader.start();
        while (loader.isAlive()) {
            Thread.onSpinWait();
        }
        System.out.println(loaded); //~ NORACE: the thread was seen to have ended
    }
}
