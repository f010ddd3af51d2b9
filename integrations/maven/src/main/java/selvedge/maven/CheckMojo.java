package selvedge.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Checks the project's classes for data races. Class path and source folders come from the project; the report is written to
 * {@code target/selvedge} as JSON and as a page to read.
 */
@Mojo(
        name = "check",
        defaultPhase = LifecyclePhase.VERIFY,
        requiresDependencyResolution = ResolutionScope.COMPILE_PLUS_RUNTIME,
        threadSafe = true)
public final class CheckMojo extends JudgingMojo {
    /** Further options of {@code selvedge check}, such as {@code --library}. */
    @Parameter(property = "selvedge.arguments")
    private List<String> arguments;

    @Override
    protected void perform() throws MojoExecutionException, MojoFailureException {
        File classes = new File(project.getBuild().getOutputDirectory());
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
        Report report = report("races");
        report.write(check);
        judge(report);
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
