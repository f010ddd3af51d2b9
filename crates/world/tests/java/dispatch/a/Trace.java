package a;

public class Trace {
    public static String last;
    public static <R> R t(String name) { last = name; return null; }
}
