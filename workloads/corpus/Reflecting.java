// Reflection: classes by name, constructors, methods found by search, fields, arrays, exceptions thrown through invoke.

import java.lang.reflect.*;
import java.util.*;

public class Reflecting {
    public interface Plugin {
        String name();
    }

    public static class First implements Plugin {
        @Override public String name() { return "first"; }
    }

    public static class Second implements Plugin {
        private final int number;
        public Second() { this(7); }
        private Second(int number) { this.number = number; }
        @Override public String name() { return "second " + number; }
    }

    static class Hidden {
        private static int uses;
        private String secret = "s";
        private String reveal(String suffix) { uses++; return secret + suffix; }
        static void fail() { throw new IllegalStateException("asked for"); }
    }

    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
    @interface Run {
        int order() default 0;
    }

    public static class Annotated {
        @Run(order = 2) public void late() { System.out.println("late"); }
        @Run(order = 1) public void early() { System.out.println("early"); }
        public void never() { System.out.println("never"); }
    }

    public static void main(String[] args) throws Exception {
        for (String name : new String[] {"First", "Second"}) {
            Plugin plugin = (Plugin) Class.forName("Reflecting$" + name).getDeclaredConstructor().newInstance();
            System.out.println(plugin.name());
        }
        Constructor<Second> constructor = Second.class.getDeclaredConstructor(int.class);
        System.out.println(constructor.newInstance(3).name());

        Method reveal = Hidden.class.getDeclaredMethod("reveal", String.class);
        for (int i = 0; i < 20; i++) {
            reveal.invoke(new Hidden(), "!");
        }
        Field secret = Hidden.class.getDeclaredField("secret");
        Hidden hidden = new Hidden();
        secret.set(hidden, "t");
        System.out.println(reveal.invoke(hidden, "?") + " " + Hidden.uses);
        try {
            Hidden.class.getDeclaredMethod("fail").invoke(null);
        } catch (InvocationTargetException wrapped) {
            System.out.println(wrapped.getCause().getMessage());
        }
        annotated();
        Object array = Array.newInstance(Plugin.class, 2);
        Array.set(array, 1, new First());
        System.out.println(((Plugin[]) array)[1].name() + " " + Array.getLength(array));
        try {
            Class.forName("Missing");
        } catch (ClassNotFoundException expected) {
            System.out.println("missing");
        }
    }

    static void annotated() throws Exception {
        List<Method> methods = new ArrayList<>();
        for (Method method : Annotated.class.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Run.class)) {
                methods.add(method);
            }
        }
        methods.sort(Comparator.comparingInt(method -> method.getAnnotation(Run.class).order()));
        Annotated target = new Annotated();
        for (Method method : methods) {
            method.invoke(target);
        }
    }
}
