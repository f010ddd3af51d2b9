// A Timer has one thread, so its tasks do not race with each other; the main thread's read while they run does.
package threads;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

public class TimerTasks {
    private int ticks;
    private int tocks;

    public static void main(String[] args) throws Exception {
        TimerTasks clock = new TimerTasks();
        CountDownLatch done = new CountDownLatch(4);
        Timer timer = new Timer();
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                clock.ticks++; //~ RACE
                clock.tocks++; //~ NORACE: both writers run in the timer's thread
                done.countDown();
            }
        }, 1, 2);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                clock.tocks--; //~ NORACE: both writers run in the timer's thread
            }
        }, 2, 2);
        System.out.println(clock.ticks >= 0); //~ RACE
        done.await();
        timer.cancel();
    }
}
