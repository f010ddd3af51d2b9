import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads and links, and so verifies, the classes named in a file without initialising them. Prints how many were linked,
 * failed, and lack other classes. Arguments: the file; for the second form also a directory and jars.
 *
 * A line of the file is the name of a class of the JDK, or the number of one of the jars and the name of a class. The
 * latter is loaded from the directory's subdirectory of that number, classes that are not there from the jar of that
 * number or, failing that, from any of the jars.
 */
public class LinkAll {
    public static void main(String[] args) throws Exception {
        ClassLoader[] loaders = new ClassLoader[Math.max(0, args.length - 2)];
        for (int i = 0; i < loaders.length; i++) {
            List<URL> urls = new ArrayList<>();
            urls.add(Path.of(args[1], "" + i).toUri().toURL());
            urls.add(Path.of(args[i + 2]).toUri().toURL());
            for (int j = 0; j < loaders.length; j++) {
                urls.add(Path.of(args[j + 2]).toUri().toURL());
            }
            loaders[i] = new URLClassLoader(urls.toArray(new URL[0]));
        }
        int linked = 0;
        int failed = 0;
        int incomplete = 0;
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            int space = line.indexOf(' ');
            String name = line.substring(space + 1);
            ClassLoader loader = space < 0
                    ? ClassLoader.getSystemClassLoader() : loaders[Integer.parseInt(line.substring(0, space))];
            try {
                // The JVM links a class before it tells about its fields, but does not initialise it.
                Class.forName(name, false, loader).getDeclaredFields();
                linked++;
            } catch (ClassNotFoundException | NoClassDefFoundError | IncompatibleClassChangeError missing) {
                incomplete++;
            } catch (Throwable error) {
                failed++;
                String message = String.valueOf(error.getMessage());
                System.out.println("FAILED " + line + " " + error.getClass() + " "
                        + message.substring(0, Math.min(600, message.length())));
            }
        }
        System.out.println("linked " + linked + " failed " + failed + " incomplete " + incomplete);
    }
}
