import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipException;

/**
 * Writes all class files of the running JDK, or of the jars given, to one file: path, length, bytes of each. Paths begin
 * with the name of the module, or with the number of the jar.
 */
public class DumpClasses {
    public static void main(String[] args) throws IOException {
        try (var out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(Path.of(args[0])), 1 << 20))) {
            if (args.length == 1) {
                dump(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules"), "", out);
            }
            for (int i = 1; i < args.length; i++) {
                try (FileSystem jar = FileSystems.newFileSystem(Path.of(args[i]), (ClassLoader) null)) {
                    dump(jar.getPath("/"), (i - 1) + "/", out);
                } catch (ZipException | ProviderNotFoundException notAJar) {
                    System.err.println(args[i] + ": " + notAJar);
                }
            }
        }
    }

    static void dump(Path root, String prefix, DataOutputStream out) throws IOException {
        List<Path> classes = new ArrayList<>();
        try (Stream<Path> paths = Files.walk(root)) {
            paths.filter(path -> path.toString().endsWith(".class")).sorted().forEach(classes::add);
        }
        for (Path path : classes) {
            byte[] bytes = Files.readAllBytes(path);
            out.writeUTF(prefix + root.relativize(path).toString());
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }
}
