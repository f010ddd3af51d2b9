package selvedge.maven;

import java.io.File;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;

/** A goal that fails the build if its report has findings that nobody has accepted. */
abstract class JudgingMojo extends SelvedgeMojo {
    /** Findings that were accepted, as {@code selvedge baseline} writes them; used if the file exists. */
    @Parameter(property = "selvedge.baseline", defaultValue = "${project.basedir}/selvedge-baseline.json")
    private File baseline;

    /** The confidence from which findings fail the build: high, medium, any or none. */
    @Parameter(property = "selvedge.failOn", defaultValue = "medium")
    private String failOn;

    /** A report of this goal. */
    protected final Report report(String name) throws MojoExecutionException {
        return new Report(tool(), reports, name, getLog());
    }

    /** Writes the page of a report and decides on the build. */
    protected final void judge(Report report) throws MojoExecutionException, MojoFailureException {
        report.judge(project, baseline, failOn);
    }
}
