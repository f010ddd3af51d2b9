// selvedge: container=frameworks.GreetingController
// A Spring controller is a singleton: its fields are shared by all requests.
package frameworks;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class GreetingController {
    private long served;
    private StringBuilder buffer = new StringBuilder();

    @GetMapping("/greet")
    public String greet(String name) {
        served++; //~ RACE
        buffer.setLength(0); //~ RACE
        buffer.append("hello ").append(name); //~ RACE
        return buffer.toString(); //~ RACE
    }
}
