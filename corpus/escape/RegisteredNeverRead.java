// Each worker registers its desk in a list that is only counted: nobody but the worker gets at the desk.
package escape;

import java.util.ArrayList;
import java.util.List;

public class RegisteredNeverRead {
    static class Desk {
        final String[] papers = new String[3];
    }

    private final List<Desk> desks = new ArrayList<>();

    synchronized void register(Desk desk) {
        desks.add(desk); //~ NORACE: under the lock
    }

    synchronized int count() {
        return desks.size(); //~ NORACE: under the lock
    }

    public static void main(String[] args) throws Exception {
        RegisteredNeverRead office = new RegisteredNeverRead();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                Desk desk = new Desk();
                office.register(desk);
                desk.papers[0] = "letter"; //~ NORACE: nobody takes a desk out of the list
            }).start();
        }
        new Thread(() -> System.out.println(office.count() <= 2)).start();
    }
}
