// selvedge: container=frameworks.PriceControllerConcurrent
// A controller is one object for all requests: its cache is a concurrent map.
package frameworks;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class PriceControllerConcurrent {
    private final Map<String, Integer> cache = new ConcurrentHashMap<>();

    @GetMapping("/price")
    public int price(String article) {
        return cache.computeIfAbsent(article, String::length); //~ NORACE: the map is safe
    }
}
