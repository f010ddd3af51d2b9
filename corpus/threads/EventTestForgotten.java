// What is not in the event thread posts an update, and then updates all the same.
package threads;

import javax.swing.SwingUtilities;

public class EventTestForgotten {
    private static int shown;

    static void update() {
        if (!SwingUtilities.isEventDispatchThread()) {
            SwingUtilities.invokeLater(EventTestForgotten::update);
        }
        shown++; //~ RACE
    }

    public static void main(String[] args) {
        new Thread(EventTestForgotten::update).start();
    }
}
