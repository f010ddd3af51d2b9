// The same state machine with a synchronized step.
package modern;

public class SwitchExpressionStateLocked {
    enum Light { RED, GREEN, AMBER }

    private Light light = Light.RED;

    synchronized Light advance() {
        Light next = switch (light) { //~ NORACE: guarded by this
            case RED -> Light.GREEN;
            case GREEN -> Light.AMBER;
            case AMBER -> Light.RED;
        };
        light = next; //~ NORACE: guarded by this
        return light; //~ NORACE: guarded by this
    }

    public static void main(String[] args) throws Exception {
        SwitchExpressionStateLocked crossing = new SwitchExpressionStateLocked();
        Thread timer = new Thread(crossing::advance);
        Thread button = new Thread(crossing::advance);
        timer.start();
        button.start();
        timer.join();
        button.join();
        System.out.println(crossing.advance());
    }
}
