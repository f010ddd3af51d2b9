// A state machine with a switch expression over an enum, driven by two threads without a lock.
package modern;

public class SwitchExpressionState {
    enum Light { RED, GREEN, AMBER }

    private Light light = Light.RED;

    void advance() {
        Light next = switch (light) { //~ RACE
            case RED -> Light.GREEN;
            case GREEN -> Light.AMBER;
            case AMBER -> Light.RED;
        };
        light = next; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        SwitchExpressionState crossing = new SwitchExpressionState();
        Thread timer = new Thread(crossing::advance);
        Thread button = new Thread(crossing::advance);
        timer.start();
        button.start();
        timer.join();
        button.join();
    }
}
