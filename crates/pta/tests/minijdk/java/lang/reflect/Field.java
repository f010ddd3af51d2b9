package java.lang.reflect;

public final class Field {
    private Field() {}
    public native Object get(Object object) throws IllegalAccessException;
    public native void set(Object object, Object value) throws IllegalAccessException;
}
