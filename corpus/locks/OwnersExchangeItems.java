// Each owner guards its items by its own lock, but one takes an item from another: two locks then guard the same item.
package locks;

import java.util.ArrayList;
import java.util.List;

public class OwnersExchangeItems {
    static class Item {
        int uses;
    }

    static class Owner {
        private final List<Item> items = new ArrayList<>();

        synchronized void make() {
            items.add(new Item()); //~ NORACE: the list belongs to one owner, which guards it
        }

        synchronized Item last() {
            return items.get(items.size() - 1); //~ NORACE: the list belongs to one owner, which guards it
        }

        void takeFrom(Owner other) {
            Item item = other.last();
            synchronized (this) {
                items.add(item); //~ NORACE: the list belongs to one owner, which guards it
            }
        }

        synchronized void use() {
            last().uses++; //~ RACE
        }
    }

    public static void main(String[] args) {
        Owner one = new Owner();
        Owner two = new Owner();
        one.make();
        two.takeFrom(one);
        new Thread(one::use).start();
        new Thread(two::use).start();
        new Thread(() -> two.takeFrom(one)).start();
    }
}
