// The list is copied before it is handed to the other thread: each works on its own list.
package containers;

import java.util.ArrayList;
import java.util.List;

public class CopiedBeforeSharing {
    public static void main(String[] args) throws Exception {
        List<String> basket = new ArrayList<>();
        basket.add("bread"); //~ NORACE: not shared yet
        List<String> order = new ArrayList<>(basket);
        Thread packer = new Thread(() -> order.remove("bread")); //~ NORACE: the copy is the packer's
        packer.start();
        basket.add("milk"); //~ NORACE: the original stays here
        packer.join();
        System.out.println(basket.size() + " " + order.size());
    }
}
