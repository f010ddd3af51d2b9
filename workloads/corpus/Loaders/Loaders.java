// Class loaders: an own loader that defines its classes anew, two versions of one class, resources, resource bundles.

import java.io.*;
import java.util.*;

public class Loaders {
    /** Loads the plug-ins itself and leaves the rest to its parent. */
    static class Isolated extends ClassLoader {
        Isolated(ClassLoader parent) { super(parent); }

        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (!name.startsWith("Loaders$Plug")) return super.loadClass(name, resolve);
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }

        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }

    public static class Plug implements Runnable {
        static int created;
        private final PlugPart part = new PlugPart();
        public Plug() { created++; }
        @Override public void run() { System.out.println("plug " + created + part.text()); }
    }

    public static class PlugPart {
        String text() { return " part"; }
    }

    public static class Texts extends ListResourceBundle {
        @Override protected Object[][] getContents() { return new Object[][] {{"hello", "hallo"}, {"list", new String[] {"x"}}}; }
    }

    public static void main(String[] args) throws Exception {
        new Plug().run();
        Class<?>[] classes = new Class<?>[2];
        for (int i = 0; i < 2; i++) {
            Class<?> plug = new Isolated(Loaders.class.getClassLoader()).loadClass("Loaders$Plug");
            ((Runnable) plug.getConstructor().newInstance()).run();
            classes[i] = plug;
        }
        System.out.println(classes[0] != classes[1] && classes[0].getName().equals(classes[1].getName()));
        try (InputStream in = Loaders.class.getResourceAsStream("/settings.properties")) {
            Properties properties = new Properties();
            properties.load(in);
            System.out.println(new TreeMap<>(properties));
        }
        System.out.println(ResourceBundle.getBundle("Loaders$Texts", Locale.ROOT).getString("hello"));
        Thread.currentThread().setContextClassLoader(new Isolated(Loaders.class.getClassLoader()));
        System.out.println(Class.forName("Loaders$PlugPart", true, Thread.currentThread().getContextClassLoader()).getClassLoader().getClass().getSimpleName());
    }
}
