// Two owners with items of their own, each behind a list and guarded by the lock of its owner: nothing is exchanged.
package locks;

import java.util.ArrayList;
import java.util.List;

public class OwnersKeepItems {
    static class Item {
        int uses;
    }

    static class Owner {
        private final List<Item> items = new ArrayList<>();

        synchronized void make() {
            items.add(new Item()); //~ NORACE: the list belongs to one owner, which guards it
        }

        private Item last() {
            return items.get(items.size() - 1); //~ NORACE: the list belongs to one owner, which guards it
        }

        synchronized void use() {
            last().uses++; //~ NORACE: the item belongs to one owner, which guards it
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            Owner owner = new Owner();
            owner.make();
            new Thread(owner::use).start();
            new Thread(owner::use).start();
            new Thread(owner::make).start();
        }
    }
}
