package selvedge.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.maven.plugin.MojoExecutionException;

/** The {@code selvedge} executable, started for one command at a time in the project's folder. */
final class Tool {
    private final String executable;
    private final File directory;

    Tool(String executable, File directory) {
        this.executable = executable;
        this.directory = directory;
    }

    /**
     * Runs a command and hands each line of its output, standard error included, to {@code lines}.
     *
     * @return the exit status
     */
    int run(List<String> arguments, Consumer<String> lines) throws MojoExecutionException {
        List<String> command = new ArrayList<>();
        command.add(executable);
        command.addAll(arguments);
        Process process;
        try {
            process = new ProcessBuilder(command).directory(directory).redirectErrorStream(true).start();
        } catch (IOException error) {
            throw new MojoExecutionException(
                    "Cannot start `" + executable + "`. Install Selvedge and put it on the PATH, or set -Dselvedge.executable.",
                    error);
        }
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            process.getOutputStream().close();
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.accept(line);
            }
            return process.waitFor();
        } catch (IOException error) {
            throw new MojoExecutionException("Cannot read the output of `" + executable + "`.", error);
        } catch (InterruptedException error) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("Interrupted while `" + executable + "` was running.", error);
        }
    }
}
