// The record keeps the caller's own ArrayList: final components do not make the list immutable.
package modern;

import java.util.ArrayList;
import java.util.List;

public class RecordWithMutableList {
    record Menu(String title, List<String> dishes) {
        int count() {
            return dishes.size(); //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        List<String> draft = new ArrayList<>(List.of("soup"));
        Menu menu = new Menu("lunch", draft);
        Thread guest = new Thread(menu::count);
        guest.start();
        draft.add("cake"); //~ RACE
        guest.join();
    }
}
