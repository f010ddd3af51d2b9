// Each worker registers its desk and goes on writing on it; a supervisor reads what lies on the desks.
package escape;

import java.util.ArrayList;
import java.util.List;

public class RegisteredThenInspected {
    static class Desk {
        final String[] papers = new String[3];
    }

    private final List<Desk> desks = new ArrayList<>();

    synchronized void register(Desk desk) {
        desks.add(desk); //~ NORACE: under the lock
    }

    synchronized int count() {
        int papers = 0;
        for (Desk desk : desks) { //~ NORACE: under the lock
            if (desk.papers[0] != null) { //~ RACE
                papers++;
            }
        }
        return papers;
    }

    public static void main(String[] args) throws Exception {
        RegisteredThenInspected office = new RegisteredThenInspected();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                Desk desk = new Desk();
                office.register(desk);
                desk.papers[0] = "letter"; //~ RACE
            }).start();
        }
        new Thread(() -> System.out.println(office.count() <= 2)).start();
    }
}
