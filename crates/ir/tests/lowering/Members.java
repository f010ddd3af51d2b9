interface Shape {
    double area();

    default double twice() { return 2 * area() + helper(); }

    private double helper() { return unit(); }

    static double unit() { return 1; }
}

class Members implements Shape {
    static int count;
    static final long START = 5_000_000_000L;
    volatile long total;
    final double size;
    Members next;

    static {
        count = 3;
    }

    Members(double size) {
        this.size = size;
        total += START;
        count++;
    }

    Members() {
        this(1.5);
        next = new Members(Math.max(2.0, size));
        next.next = this;
    }

    public double area() { return size * next.size; }

    public double twice() { return Shape.super.twice() + super.hashCode(); }

    long add(long a, double b, int... more) {
        for (int n : more) total += n;
        return total = a + (long) b;
    }

    Object use(Shape shape) {
        shape.area();
        add(1, 2, 3, 4);
        new Inner().touch();
        return Members.class.getName().isEmpty() ? int.class : Shape.unit();
    }

    class Inner {
        private int hits;

        void touch() { hits++; Members.this.total--; }
    }
}
