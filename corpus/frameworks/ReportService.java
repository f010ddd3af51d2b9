// selvedge: container=frameworks.ReportService
// A service bean whose scheduled method refreshes what request threads read.
package frameworks;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ReportService {
    private String report = "none";
    private int refreshed;

    @Scheduled(fixedRate = 1000)
    public void refresh() {
        refreshed++; //~ NORACE: runs of one scheduled method do not overlap, and nobody else reads it
        report = "report"; //~ RACE
    }

    @GetMapping("/report")
    public String report() {
        return report; //~ RACE
    }
}
