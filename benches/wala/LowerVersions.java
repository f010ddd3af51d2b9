// Copies classes into a jar with their class-file version lowered to that of Java 8, the newest that WALA 1.5.2 accepts. Nothing
// else is changed: what newer instructions and attributes mean to WALA is up to it.
//
// java LowerVersions.java OUTPUT.jar INPUT.jar
// java LowerVersions.java OUTPUT.jar jrt:MODULE...     (modules of the JDK that runs this)

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public class LowerVersions {
    static final int JAVA_8 = 52;

    public static void main(String[] arguments) throws IOException {
        try (OutputStream file = Files.newOutputStream(Path.of(arguments[0]));
                JarOutputStream jar = new JarOutputStream(file)) {
            TreeSet<String> written = new TreeSet<>();
            for (int i = 1; i < arguments.length; i++) {
                if (arguments[i].startsWith("jrt:")) {
                    FileSystem image = FileSystems.getFileSystem(URI.create("jrt:/"));
                    copy(image.getPath("/modules", arguments[i].substring(4)), jar, written);
                } else {
                    try (FileSystem archive = FileSystems.newFileSystem(Path.of(arguments[i]))) {
                        copy(archive.getPath("/"), jar, written);
                    }
                }
            }
        }
    }

    static void copy(Path root, JarOutputStream jar, TreeSet<String> written) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(root)) {
            files = found.filter(path -> path.toString().endsWith(".class")).sorted().collect(Collectors.toList());
        }
        for (Path path : files) {
            String name = root.relativize(path).toString();
            boolean special = name.endsWith("-info.class") || name.startsWith("META-INF/");
            if (special || !written.add(name)) {
                continue;
            }
            byte[] bytes = Files.readAllBytes(path);
            int version = (bytes[6] & 0xff) << 8 | bytes[7] & 0xff;
            if (version > JAVA_8) {
                bytes[4] = bytes[5] = bytes[6] = 0;
                bytes[7] = JAVA_8;
            }
            jar.putNextEntry(new JarEntry(name));
            jar.write(bytes);
            jar.closeEntry();
        }
    }
}
