// A message that a helper fills, and that a plain field publishes.
package escape;

public class PhasePublishedByRace {
    static class Message {
        int length;
    }

    static Message latest;

    static Message filled() {
        Message message = new Message();
        message.length = 3; //~ RACE
        return message;
    }

    public static void main(String[] args) {
        new Thread(() -> {
            latest = filled(); //~ RACE
        }).start();
        Message message = latest; //~ RACE
        if (message != null) {
            System.out.println(message.length); //~ RACE
        }
    }
}
