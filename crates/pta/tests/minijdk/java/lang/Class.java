package java.lang;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

public final class Class<T> {
    private Class() {}
    public static native Class<?> forName(String name) throws ClassNotFoundException;
    public native T newInstance() throws InstantiationException, IllegalAccessException;
    public native T cast(Object object);
    public native Method getMethod(String name, Class<?>... parameters) throws NoSuchMethodException;
    public native Constructor<T> getConstructor(Class<?>... parameters) throws NoSuchMethodException;
    public native Field getField(String name) throws NoSuchFieldException;
    public native String getName();
    public boolean desiredAssertionStatus() { return false; }
}
