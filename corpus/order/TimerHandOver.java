// What is set up before a timer task is scheduled is visible to the task.
package order;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

public class TimerHandOver {
    static class Reminder extends TimerTask {
        String text;
        final CountDownLatch shown = new CountDownLatch(1);

        @Override
        public void run() {
            System.out.println(text); //~ NORACE: written before schedule
            shown.countDown();
        }
    }

    public static void main(String[] args) throws Exception {
        Timer timer = new Timer(true);
        Reminder reminder = new Reminder();
        reminder.text = "tea"; //~ NORACE: before schedule
        timer.schedule(reminder, 1);
        reminder.shown.await();
        timer.cancel();
    }
}
