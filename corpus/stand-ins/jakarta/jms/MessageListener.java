package jakarta.jms;

/** Stands in for the interface of this name. */
public interface MessageListener {
    void onMessage(Message message);
}
