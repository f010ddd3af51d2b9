package selvedge.maven;

import java.io.File;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/** What every goal knows: the project, the executable, and where reports are. */
abstract class SelvedgeMojo extends AbstractMojo {
    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    protected MavenProject project;

    /** The executable; a name is looked up on the PATH. */
    @Parameter(property = "selvedge.executable", defaultValue = "selvedge")
    protected String executable;

    /** Where reports are written. */
    @Parameter(property = "selvedge.reports", defaultValue = "${project.build.directory}/selvedge")
    protected File reports;

    /** Skip all goals: tests are started as without Selvedge. */
    @Parameter(property = "selvedge.skip", defaultValue = "false")
    private boolean skip;

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        if (!skip && !"pom".equals(project.getPackaging())) {
            perform();
        }
    }

    /** What the goal does in a project that has code. */
    protected abstract void perform() throws MojoExecutionException, MojoFailureException;

    /** The executable in the project's folder. */
    protected final Tool tool() {
        return new Tool(executable, project.getBasedir());
    }
}
