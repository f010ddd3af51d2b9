package java.util;

public final class Objects {
    private Objects() {}
    public static <T> T requireNonNull(T object) {
        if (object == null) {
            throw new NullPointerException();
        }
        return object;
    }
}
