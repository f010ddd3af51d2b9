package selvedge.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/** Merges what the forks of the tests showed under the goal {@code run}, and fails the build if there is a race. */
@Mojo(name = "run-report", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class RunReportMojo extends JudgingMojo {
    @Override
    protected void perform() throws MojoExecutionException, MojoFailureException {
        File[] forks = new File(reports, RunMojo.FORKS).listFiles((folder, name) -> name.endsWith(".json"));
        if (forks == null || forks.length == 0) {
            getLog().info("No test ran under Selvedge.");
            return;
        }
        Arrays.sort(forks);
        List<String> merged = new ArrayList<>();
        for (File fork : forks) {
            merged.add(fork.getPath());
        }
        Report report = report("run");
        report.merge(merged);
        judge(report);
    }
}
