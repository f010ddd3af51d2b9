// A crawler's set of visited pages as a plain HashSet shared by its workers.
package containers;

import java.util.HashSet;
import java.util.Set;

public class HashSetVisited {
    private final Set<String> visited = new HashSet<>();

    void crawl(String page, int depth) {
        if (depth == 0 || visited.contains(page)) { //~ RACE
            return;
        }
        visited.add(page); //~ RACE
        crawl(page + "/a", depth - 1);
        crawl(page + "/b", depth - 1);
    }

    public static void main(String[] args) throws Exception {
        HashSetVisited crawler = new HashSetVisited();
        Thread left = new Thread(() -> crawler.crawl("left", 4));
        Thread right = new Thread(() -> crawler.crawl("right", 4));
        left.start();
        right.start();
        left.join();
        right.join();
    }
}
