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
        return Settings.doubtedFirst + Settings.doubtedSecond + Settings.doubtedThird;
    }

    public static synchronized int read() {
        return Settings.doubtedFourth + Settings.doubtedFifth + Named.credibleNamed;
    }
}
