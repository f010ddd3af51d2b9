// What is not in the event thread posts the update to it.
package threads;

import javax.swing.SwingUtilities;

public class EventTestAsked {
    private static int shown;

    static void update() {
        if (SwingUtilities.isEventDispatchThread()) {
            show();
        } else {
            SwingUtilities.invokeLater(EventTestAsked::update);
        }
    }

    static void show() {
        shown++; //~ NORACE: in the event thread
    }

    public static void main(String[] args) {
        new Thread(EventTestAsked::update).start();
        new Thread(EventTestAsked::update).start();
    }
}
