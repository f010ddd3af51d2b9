// selvedge: container=frameworks.PriceController
// A controller is one object for all requests: its cache is a plain map.
package frameworks;

import java.util.HashMap;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class PriceController {
    private final Map<String, Integer> cache = new HashMap<>();

    @GetMapping("/price")
    public int price(String article) {
        Integer known = cache.get(article); //~ RACE
        if (known == null) {
            known = article.length();
            cache.put(article, known); //~ RACE
        }
        return known;
    }
}
