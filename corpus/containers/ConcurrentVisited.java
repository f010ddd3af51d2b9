// The crawler with a concurrent set: contains and add are safe calls, and add's result decides.
package containers;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentVisited {
    private final Set<String> visited = ConcurrentHashMap.newKeySet();

    void crawl(String page, int depth) {
        if (depth == 0 || !visited.add(page)) { //~ NORACE: a concurrent set
            return;
        }
        crawl(page + "/a", depth - 1);
        crawl(page + "/b", depth - 1);
    }

    public static void main(String[] args) throws Exception {
        ConcurrentVisited crawler = new ConcurrentVisited();
        Thread left = new Thread(() -> crawler.crawl("left", 4));
        Thread right = new Thread(() -> crawler.crawl("right", 4));
        left.start();
        right.start();
        left.join();
        right.join();
        System.out.println(crawler.visited.size());
    }
}
