package selvedge.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.apache.maven.project.MavenProject;

/**
 * Checks the project's classes for data races. Class path and source folders come from the project; the report is written to
 * {@code target/selvedge} as JSON and as a page to read.
 */
@Mojo(
        name = "check",
        defaultPhase = LifecyclePhase.VERIFY,
        requiresDependencyResolution = ResolutionScope.COMPILE_PLUS_RUNTIME,
        threadSafe = true)
public final class CheckMojo extends AbstractMojo {
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

    /** The confidence from which findings fail the build: high, medium, any or none. */
    @Parameter(property = "selvedge.failOn", defaultValue = "medium")
    private String failOn;

    /** Further options of {@code selvedge check}, such as {@code --library}. */
    @Parameter(property = "selvedge.arguments")
    private List<String> arguments;

    /** Skip the check. */
    @Parameter(property = "selvedge.skip", defaultValue = "false")
    private boolean skip;

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        File classes = new File(project.getBuild().getOutputDirectory());
        if (skip || "pom".equals(project.getPackaging())) {
            return;
        }
        if (!classes.isDirectory()) {
            getLog().info("Nothing to check: " + classes + " does not exist.");
            return;
        }
        List<String> check = new ArrayList<>(Arrays.asList("check", classes.getPath()));
        String classPath = classPath(classes);
        if (!classPath.isEmpty()) {
            check.addAll(Arrays.asList("--classpath", classPath));
        }
        if (arguments != null) {
            check.addAll(arguments);
        }
        Report report = new Report(new Tool(executable, project.getBasedir()), reports, "races", getLog());
        report.write(check);
        report.judge(project, baseline, failOn);
    }

    private String classPath(File classes) throws MojoExecutionException {
        try {
            List<String> elements = new ArrayList<>(project.getRuntimeClasspathElements());
            for (String element : project.getCompileClasspathElements()) {
                if (!elements.contains(element)) {
                    elements.add(element);
                }
            }
            elements.remove(classes.getPath());
            elements.removeIf(element -> !new File(element).exists());
            return String.join(File.pathSeparator, elements);
        } catch (DependencyResolutionRequiredException error) {
            throw new MojoExecutionException("The dependencies of " + project.getName() + " are not resolved.", error);
        }
    }
}
