package credence;

import java.lang.reflect.Field;

/** A field that is named where it is set by reflection is set; one of many that a caller may name likely is not. */
public class Reflected {
    static class Settings {
        static int doubtedFirst;
        static int doubtedSecond;
        static int doubtedThird;
        static int doubtedFourth;
        static int doubtedFifth;
    }

    static class Named {
        static int credibleNamed;
    }

    /** Methods that are called by a name. */
    static class Actions {
        static int doubtedByMethod;
        static int credibleByMethod;

        private static void a() {
            if (doubtedByMethod++ > 3) {
                doubtedByMethod = 0;
            }
        }

        private static void b() {}

        private static void c() {}

        private static void d() {}

        private static void e() {}

        private static void f() {}

        private static void g() {}

        private static void h() {}

        private static void i() {}
    }

    /** A method that is called by its name. */
    static class Action {
        private static void named() {
            if (Actions.credibleByMethod++ > 3) {
                Actions.credibleByMethod = 0;
            }
        }
    }

    public static void call(String name) throws ReflectiveOperationException {
        Actions.class.getDeclaredMethod(name).invoke(null);
    }

    public static void callNamed() throws ReflectiveOperationException {
        Action.class.getDeclaredMethod("named").invoke(null);
    }

    public static void set(String name, int value) throws ReflectiveOperationException {
        Field field = Settings.class.getDeclaredField(name);
        field.set(null, value);
    }

    public static void setNamed(int value) throws ReflectiveOperationException {
        Named.class.getDeclaredField("credibleNamed").set(null, value);
    }

    public static synchronized int change() {
        Settings.doubtedFirst++;
        Named.credibleNamed++;
        Actions.doubtedByMethod = 1;
        Actions.credibleByMethod = 1;
        return Settings.doubtedFirst + Settings.doubtedSecond + Settings.doubtedThird;
    }

    public static synchronized int read() {
        return Settings.doubtedFourth + Settings.doubtedFifth + Named.credibleNamed;
    }
}
