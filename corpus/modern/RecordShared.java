// A record with immutable components, built with List.copyOf: sharing it needs no lock.
package modern;

import java.util.ArrayList;
import java.util.List;

public class RecordShared {
    record Menu(String title, List<String> dishes) {
        Menu {
            dishes = List.copyOf(dishes);
        }

        int letters() {
            int sum = title.length();
            for (String dish : dishes) { //~ NORACE: an immutable copy
                sum += dish.length();
            }
            return sum;
        }
    }

    public static void main(String[] args) throws Exception {
        List<String> draft = new ArrayList<>(List.of("soup"));
        Menu menu = new Menu("lunch", draft);
        Thread guest = new Thread(menu::letters);
        guest.start();
        draft.add("cake"); //~ NORACE: the record has a copy
        System.out.println(menu.letters());
        guest.join();
    }
}
