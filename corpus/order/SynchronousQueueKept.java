// The giver goes on changing the list that it has handed over through the synchronous queue.
package order;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;

public class SynchronousQueueKept {
    public static void main(String[] args) throws Exception {
        SynchronousQueue<List<String>> desk = new SynchronousQueue<>();
        Thread giver = new Thread(() -> {
            List<String> forms = new ArrayList<>();
            forms.add("form A"); //~ NORACE: before the hand-over
            try {
                desk.put(forms);
                forms.add("form B"); //~ RACE
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        giver.start();
        List<String> forms = desk.take();
        System.out.println(forms.size() > 0); //~ RACE
        giver.join();
    }
}
