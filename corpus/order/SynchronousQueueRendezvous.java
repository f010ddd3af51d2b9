// A synchronous queue hands one list over: the giver builds it, the taker empties it.
package order;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;

public class SynchronousQueueRendezvous {
    public static void main(String[] args) throws Exception {
        SynchronousQueue<List<String>> desk = new SynchronousQueue<>();
        Thread giver = new Thread(() -> {
            List<String> forms = new ArrayList<>();
            forms.add("form A"); //~ NORACE: before the hand-over
            forms.add("form B"); //~ NORACE: before the hand-over
            try {
                desk.put(forms);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        giver.start();
        List<String> forms = desk.take();
        forms.remove(0); //~ NORACE: after the hand-over
        System.out.println(forms.get(0));
        giver.join();
    }
}
