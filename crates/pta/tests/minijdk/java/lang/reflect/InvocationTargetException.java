package java.lang.reflect;

public class InvocationTargetException extends ReflectiveOperationException {
    protected InvocationTargetException() {}
}
