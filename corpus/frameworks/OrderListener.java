// selvedge: container=frameworks.OrderListener
// Message listeners run in the sessions' threads, several at a time: what is static is shared by all of them.
package frameworks;

import jakarta.jms.Message;
import jakarta.jms.MessageListener;

public class OrderListener implements MessageListener {
    private static int orders;

    @Override
    public void onMessage(Message message) {
        orders++; //~ RACE
    }
}
