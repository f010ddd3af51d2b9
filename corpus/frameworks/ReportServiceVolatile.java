// selvedge: container=frameworks.ReportServiceVolatile
// The scheduled refresh publishes an immutable text through a volatile field.
package frameworks;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ReportServiceVolatile {
    private volatile String report = "none";

    @Scheduled(fixedRate = 1000)
    public void refresh() {
        report = "report"; //~ NORACE: volatile
    }

    @GetMapping("/report")
    public String report() {
        return report; //~ NORACE: volatile
    }
}
