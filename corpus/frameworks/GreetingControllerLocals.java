// selvedge: container=frameworks.GreetingControllerLocals
// The controller as it should be: final collaborators and locals.
package frameworks;

import java.util.concurrent.atomic.LongAdder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class GreetingControllerLocals {
    private final LongAdder served = new LongAdder();

    @GetMapping("/greet")
    public String greet(String name) {
        served.increment(); //~ NORACE: a concurrent adder
        StringBuilder buffer = new StringBuilder();
        buffer.append("hello ").append(name); //~ NORACE: a local
        return buffer.toString();
    }
}
