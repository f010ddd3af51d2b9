package selvedge.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/** Merges what the forks of the tests showed under the goal {@code run}, and fails the build if there is a race. */
@Mojo(name = "run-report", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class RunReportMojo extends AbstractMojo {
    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    private MavenProject project;

    /** The executable; a name is looked up on the PATH. */
    @Parameter(property = "selvedge.executable", defaultValue = "selvedge")
    private String executable;

    /** Where reports are written. */
    @Parameter(property = "selvedge.reports", defaultValue = "${project.build.directory}/selvedge")
    private File reports;

    /** Findings that were accepted, as {@code selvedge baseline} writes them; used if the file exists. */
    @Parameter(property = "selvedge.baseline", defaultValue = "${project.basedir}/selvedge-baseline.json")
    private File baseline;

    /** The confidence from which races fail the build: high, medium, any or none. */
    @Parameter(property = "selvedge.failOn", defaultValue = "medium")
    private String failOn;

    /** Skip the report. */
    @Parameter(property = "selvedge.skip", defaultValue = "false")
    private boolean skip;

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        if (skip || "pom".equals(project.getPackaging())) {
            return;
        }
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
        Report report = new Report(new Tool(executable, project.getBasedir()), reports, "run", getLog());
        report.merge(merged);
        report.judge(project, baseline, failOn);
    }
}
