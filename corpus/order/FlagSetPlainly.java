// The flag is an atomic variable that is written plainly: who sees it set knows nothing of what was written before.
package order;

import java.util.concurrent.atomic.AtomicInteger;

public class FlagSetPlainly {
    private static final AtomicInteger READY = new AtomicInteger();
    private static int answer;

    public static void main(String[] args) {
        new Thread(() -> {
            answer = 42; //~ RACE
            READY.setPlain(1);
        }).start();
        while (READY.get() == 0) {
            Thread.onSpinWait();
        }
        System.out.println(answer); //~ RACE
    }
}
