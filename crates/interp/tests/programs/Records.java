import java.util.*;

/** Records: generated equals, hashCode and toString over all component types; compact constructors; sealed types. */
public class Records {
    record Point(int x, int y) implements Comparable<Point> {
        static final Point ORIGIN = new Point(0, 0);
        Point {
            if (x < -1000) throw new IllegalArgumentException("too far: " + x);
        }
        Point(int both) { this(both, both); }
        double distance(Point o) { return Math.sqrt((x - o.x) * (x - o.x) + (y - o.y) * (y - o.y)); }
        public int compareTo(Point o) { return Integer.compare(x, o.x); }
    }

    record All(boolean z, byte b, char c, short s, int i, long j, float f, double d, String t, Object o, int[] a) {}

    record Empty() {}

    record Generic<T>(T value, List<T> more) {
        T value2() { return more.get(0); }
    }

    record Custom(String name) {
        @Override public String toString() { return "<" + name + ">"; }
        public String name() { return name.toUpperCase(); }
    }

    sealed interface Expr permits Num, Add, Mul, Neg {}
    record Num(int value) implements Expr {}
    record Add(Expr left, Expr right) implements Expr {}
    record Mul(Expr left, Expr right) implements Expr {}
    record Neg(Expr inner) implements Expr {}

    static int eval(Expr e) {
        if (e instanceof Num n) return n.value();
        if (e instanceof Add a) return eval(a.left()) + eval(a.right());
        if (e instanceof Mul m) return eval(m.left()) * eval(m.right());
        if (e instanceof Neg n) return -eval(n.inner());
        throw new AssertionError();
    }

    public static void main(String[] args) {
        Point p = new Point(3, 4);
        System.out.println(p + " " + p.distance(Point.ORIGIN) + " " + p.equals(new Point(3, 4)) + " " + p.equals(new Point(4)) + " " + p.hashCode() + " " + p.equals(null));
        int[] array = {1};
        All a = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, Float.NaN, -0.0, "t", null, array);
        All same = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, Float.NaN, -0.0, "t", null, array);
        All zero = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, Float.NaN, 0.0, "t", null, array);
        All other = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, Float.NaN, -0.0, "t", null, new int[]{1});
        System.out.println(a.equals(same) + " " + a.equals(zero) + " " + a.equals(other) + " " + (a.hashCode() == same.hashCode()));
        System.out.println(a.toString().startsWith("All[z=true, b=1, c=c, s=2, i=3, j=4, f=NaN, d=-0.0, t=t, o=null, a=[I@"));
        System.out.println(new Empty() + " " + new Empty().equals(new Empty()) + " " + new Empty().hashCode());
        Generic<String> g = new Generic<>("v", List.of("w"));
        System.out.println(g + g.value2() + g.hashCode() + new Custom("c") + new Custom("c").name() + new Custom("c").equals(new Custom("c")));
        Expr e = new Add(new Num(2), new Mul(new Num(3), new Neg(new Num(4))));
        System.out.println(e + " = " + eval(e));
        Set<Point> set = new HashSet<>(List.of(new Point(1), new Point(2)));
        System.out.println(set.contains(new Point(2, 2)) + " " + new TreeSet<>(set).last());
        try {
            new Point(-2000);
        } catch (IllegalArgumentException ex) {
            System.out.println(ex.getMessage());
        }
        Object o = p;
        if (o instanceof Point q && q.x() == 3) System.out.println("matched " + q.y());
    }
}
