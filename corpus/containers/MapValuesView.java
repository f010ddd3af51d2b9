// The values view of a HashMap is the map itself: summing over the view races with put.
package containers;

import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Map;

public class MapValuesView {
    private final Map<String, Integer> stock = new HashMap<>();
    private final Collection<Integer> amounts = stock.values();

    void deliver(String item) {
        stock.put(item, 10); //~ RACE
    }

    int total() {
        int sum = 0;
        try {
            for (int amount : amounts) { //~ RACE
                sum += amount;
            }
        } catch (ConcurrentModificationException e) {
            return -1;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        MapValuesView shop = new MapValuesView();
        Thread supplier = new Thread(() -> shop.deliver("tea"));
        supplier.start();
        System.out.println(shop.total() >= -1);
        supplier.join();
    }
}
