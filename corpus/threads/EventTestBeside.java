// Only the event thread updates, as asked for; main reads meanwhile.
package threads;

import javax.swing.SwingUtilities;

public class EventTestBeside {
    private static int shown;

    static void update() {
        if (SwingUtilities.isEventDispatchThread()) {
            shown++; //~ RACE
        } else {
            SwingUtilities.invokeLater(EventTestBeside::update);
        }
    }

    public static void main(String[] args) {
        update();
        System.out.println(shown >= 0); //~ RACE: the event thread may be at it
    }
}
