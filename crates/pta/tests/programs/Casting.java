// Casts and type tests filter what flows, pattern matching too.
public class Casting {
    interface Left {}
    interface Right {}
    static class L implements Left {}
    static class R implements Right {}
    static class Both extends L implements Right {}

    static Object any(int n) {
        return switch (n) {
            case 0 -> new L();
            case 1 -> new R();
            case 2 -> new Both();
            case 3 -> new Left[] { new L() };
            default -> new int[1];
        };
    }

    static Object sink;

    public static void main(String[] arguments) {
        Object any = any(arguments.length);
        if (any instanceof Left) {
            Left left = (Left) any;
            sink = left;
        }
        if (any instanceof Right right && !(any instanceof L)) {
            sink = right;
        }
        Object[] array = (Object[]) any;
        sink = array[0];
        Left[] lefts = (Left[]) any;
        Right cross = (Right) lefts[0];
        sink = cross;
        Both both = (Both) any;
        sink = both;
    }
}
