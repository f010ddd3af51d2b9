package selvedge.maven;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Lets the tests that follow run under {@code selvedge run}. Surefire and Failsafe start their forks with the executable that the
 * property {@code jvm} names; this goal sets it to a script that starts the project's {@code java} under Selvedge. The goal
 * {@code run-report} reports what the forks showed.
 */
@Mojo(name = "run", defaultPhase = LifecyclePhase.PROCESS_TEST_CLASSES, threadSafe = true)
public final class RunMojo extends SelvedgeMojo {
    /** Where the forks leave their reports, below the folder of reports. */
    static final String FORKS = "forks";

    /** The {@code java} that runs the tests; that of the build if not given. */
    @Parameter(property = "jvm")
    private String jvm;

    /** Further options of {@code selvedge run}, such as {@code --include}. */
    @Parameter(property = "selvedge.runArguments")
    private List<String> runArguments;

    @Override
    protected void perform() throws MojoExecutionException {
        // Without the executable every fork would fail with words about Surefire.
        tool().run(Collections.singletonList("--version"), getLog()::debug);
        File forks = new File(reports, FORKS);
        File java = new File(reports, "bin/java");
        try {
            remove(forks);
            Files.createDirectories(forks.toPath());
            Files.createDirectories(java.getParentFile().toPath());
            Files.write(java.toPath(), script(forks).getBytes(StandardCharsets.UTF_8));
        } catch (IOException error) {
            throw new MojoExecutionException("Cannot write to " + reports + ".", error);
        }
        if (!java.setExecutable(true)) {
            throw new MojoExecutionException("Cannot make " + java + " executable.");
        }
        project.getProperties().setProperty("jvm", java.getPath());
        getLog().info("Tests run under Selvedge.");
    }

    /** A {@code java} that is watched. The exit status stays that of the tests: races are for {@code run-report} to judge. */
    private String script(File forks) {
        String java = jvm != null ? jvm : new File(System.getProperty("java.home"), "bin/java").getPath();
        StringBuilder line = new StringBuilder("#!/bin/sh\nexec ").append(quoted(executable));
        line.append(" run --quiet --exit-status 0 --format json --output ");
        line.append(quoted(forks.getPath() + File.separator)).append("\"$$.json\"");
        for (String argument : runArguments != null ? runArguments : Collections.<String>emptyList()) {
            line.append(' ').append(quoted(argument));
        }
        return line.append(" -- ").append(quoted(java)).append(" \"$@\"\n").toString();
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    private static void remove(File folder) throws IOException {
        File[] files = folder.listFiles();
        for (File file : files != null ? Arrays.asList(files) : Collections.<File>emptyList()) {
            Files.delete(file.toPath());
        }
    }
}
