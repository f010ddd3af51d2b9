package shop;

import java.util.HashMap;
import java.util.Map;

/** How many pieces of each article are left. Every method holds the stock's lock. */
public final class Stock {
    private final Map<String, Integer> pieces = new HashMap<>();

    public synchronized void add(String article, int count) {
        pieces.merge(article, count, Integer::sum);
    }

    public synchronized boolean take(String article) {
        int left = pieces.getOrDefault(article, 0);
        if (left == 0) {
            return false;
        }
        pieces.put(article, left - 1);
        return true;
    }
}
