package java.lang.reflect;

public final class Method {
    private Method() {}
    public native Object invoke(Object receiver, Object... arguments)
        throws IllegalAccessException, InvocationTargetException;
}
