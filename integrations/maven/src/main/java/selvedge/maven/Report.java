package selvedge.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.logging.Log;
import org.apache.maven.project.MavenProject;

/** A report in JSON, and what every goal does with it: a page, a line in the log for each finding, and the verdict on the build. */
final class Report {
    private final Tool tool;
    private final File json;
    private final File page;
    private final Log log;

    Report(Tool tool, File folder, String name, Log log) throws MojoExecutionException {
        if (!folder.isDirectory() && !folder.mkdirs()) {
            throw new MojoExecutionException("Cannot create the folder " + folder + ".");
        }
        this.tool = tool;
        this.json = new File(folder, name + ".json");
        this.page = new File(folder, name + ".html");
        this.log = log;
    }

    /** Writes the report with a command that takes {@code --format} and {@code --output}. */
    void write(List<String> command) throws MojoExecutionException {
        List<String> line = new ArrayList<>(command);
        line.addAll(Arrays.asList("--fail-on", "none", "--format", "json", "--output", json.getPath()));
        expect(tool.run(line, log::info), command.get(0));
    }

    /** Writes the report by merging others. */
    void merge(List<String> others) throws MojoExecutionException {
        List<String> command = new ArrayList<>();
        command.add("report");
        command.addAll(others);
        write(command);
    }

    /** Writes the page, logs the findings that the baseline does not accept, and fails the build if there are any. */
    void judge(MavenProject project, File baseline, String failOn)
            throws MojoExecutionException, MojoFailureException {
        List<String> known = baseline.isFile() ? Arrays.asList("--baseline", baseline.getPath()) : Arrays.asList();
        List<String> html = new ArrayList<>(Arrays.asList("report", json.getPath(), "--fail-on", "none"));
        html.addAll(known);
        for (Object root : project.getCompileSourceRoots()) {
            if (new File((String) root).isDirectory()) {
                html.addAll(Arrays.asList("--sources", (String) root));
            }
        }
        html.addAll(Arrays.asList("--format", "html", "--output", page.getPath()));
        expect(tool.run(html, log::debug), "report");

        List<String> brief = new ArrayList<>(Arrays.asList("report", json.getPath(), "--brief", "--fail-on", failOn));
        brief.addAll(known);
        int status = tool.run(brief, log::warn);
        log.info("Report: " + page.toURI());
        if (status == 1) {
            throw new MojoFailureException("Selvedge found data races (threshold: " + failOn + "). Read " + page
                    + ", or accept them with `selvedge baseline " + json + " --output " + baseline.getName() + "`.");
        }
        expect(status, "report");
    }

    private static void expect(int status, String command) throws MojoExecutionException {
        if (status != 0) {
            throw new MojoExecutionException("`selvedge " + command + "` failed with status " + status + "; see the lines above.");
        }
    }
}
