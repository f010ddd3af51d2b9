// selvedge: container=frameworks.LastUserController
// A Spring controller that keeps the user of the request in a field, and a plain list in its service.
package frameworks;

import java.util.ArrayList;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class LastUserController {
    private final History history = new History();
    private String user;

    @GetMapping("/hello")
    public String hello(String name) {
        user = name; //~ RACE
        history.add(name);
        return greet();
    }

    @GetMapping("/count")
    public String count() {
        return String.valueOf(history.size());
    }

    private String greet() {
        return "Hello, " + user; //~ RACE
    }

    static class History {
        private final List<String> names = new ArrayList<>();

        void add(String name) {
            names.add(name); //~ RACE
        }

        int size() {
            return names.size(); //~ RACE
        }
    }
}
