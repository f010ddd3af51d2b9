package java.lang.reflect;

public final class Constructor<T> {
    private Constructor() {}
    public native T newInstance(Object... arguments)
        throws InstantiationException, IllegalAccessException, InvocationTargetException;
}
