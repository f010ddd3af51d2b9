// merge on a ConcurrentHashMap is atomic for its key.
package atomics;

import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentMapCounts {
    private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();

    void count(String text) {
        for (String word : text.split(" ")) {
            counts.merge(word, 1, Integer::sum); //~ NORACE: atomic for the key
        }
    }

    public static void main(String[] args) throws Exception {
        ConcurrentMapCounts words = new ConcurrentMapCounts();
        Thread other = new Thread(() -> words.count("to be or not to be"));
        other.start();
        words.count("be that as it may");
        other.join();
        System.out.println(words.counts.get("be")); //~ NORACE: a concurrent map
    }
}
