// The text is set after the task was scheduled.
package order;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

public class TimerSetUpLate {
    static class Reminder extends TimerTask {
        String text = "";
        final CountDownLatch shown = new CountDownLatch(1);

        @Override
        public void run() {
            System.out.println(text.length() <= 3); //~ RACE
            shown.countDown();
        }
    }

    public static void main(String[] args) throws Exception {
        Timer timer = new Timer(true);
        Reminder reminder = new Reminder();
        timer.schedule(reminder, 1);
        reminder.text = "tea"; //~ RACE
        reminder.shown.await();
        timer.cancel();
    }
}
