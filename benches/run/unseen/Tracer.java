import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A ray tracer with a hierarchy of bounding boxes, mirrors and shadows; two threads take lines of the picture in turn. */
public class Tracer {
    static final class Vec {
        final double x;
        final double y;
        final double z;

        Vec(double x, double y, double z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        Vec plus(Vec o) {
            return new Vec(x + o.x, y + o.y, z + o.z);
        }

        Vec minus(Vec o) {
            return new Vec(x - o.x, y - o.y, z - o.z);
        }

        Vec times(double f) {
            return new Vec(x * f, y * f, z * f);
        }

        double dot(Vec o) {
            return x * o.x + y * o.y + z * o.z;
        }

        Vec unit() {
            return times(1 / Math.sqrt(dot(this)));
        }

        double axis(int axis) {
            return axis == 0 ? x : axis == 1 ? y : z;
        }
    }

    static final class Ray {
        final Vec from;
        final Vec to;

        Ray(Vec from, Vec to) {
            this.from = from;
            this.to = to;
        }
    }

    static final class Hit {
        double distance = Double.MAX_VALUE;
        Shape shape;

        void offer(double distance, Shape shape) {
            if (distance > 1e-6 && distance < this.distance) {
                this.distance = distance;
                this.shape = shape;
            }
        }
    }

    static final class Box {
        double[] low = {1e30, 1e30, 1e30};
        double[] high = {-1e30, -1e30, -1e30};

        void add(Vec point) {
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = Math.min(low[axis], point.axis(axis));
                high[axis] = Math.max(high[axis], point.axis(axis));
            }
        }

        boolean isHit(Ray ray, double limit) {
            double near = 0;
            double far = limit;
            for (int axis = 0; axis < 3; axis++) {
                double inverse = 1 / ray.to.axis(axis);
                double a = (low[axis] - ray.from.axis(axis)) * inverse;
                double b = (high[axis] - ray.from.axis(axis)) * inverse;
                near = Math.max(near, Math.min(a, b));
                far = Math.min(far, Math.max(a, b));
                if (near > far) return false;
            }
            return true;
        }
    }

    abstract static class Shape {
        final int colour;
        final double mirror;

        Shape(int colour, double mirror) {
            this.colour = colour;
            this.mirror = mirror;
        }

        abstract void intersect(Ray ray, Hit hit);

        abstract Vec normal(Vec at);

        abstract Vec centre();

        abstract void bound(Box box);
    }

    static final class Sphere extends Shape {
        private final Vec centre;
        private final double radius;

        Sphere(Vec centre, double radius, int colour, double mirror) {
            super(colour, mirror);
            this.centre = centre;
            this.radius = radius;
        }

        @Override
        void intersect(Ray ray, Hit hit) {
            Vec way = ray.from.minus(centre);
            double b = way.dot(ray.to);
            double d = b * b - way.dot(way) + radius * radius;
            if (d < 0) return;
            double root = Math.sqrt(d);
            hit.offer(-b - root, this);
            hit.offer(-b + root, this);
        }

        @Override
        Vec normal(Vec at) {
            return at.minus(centre).unit();
        }

        @Override
        Vec centre() {
            return centre;
        }

        @Override
        void bound(Box box) {
            box.add(centre.plus(new Vec(radius, radius, radius)));
            box.add(centre.minus(new Vec(radius, radius, radius)));
        }
    }

    static final class Triangle extends Shape {
        private final Vec a;
        private final Vec ab;
        private final Vec ac;
        private final Vec normal;

        Triangle(Vec a, Vec b, Vec c, int colour) {
            super(colour, 0);
            this.a = a;
            ab = b.minus(a);
            ac = c.minus(a);
            normal = cross(ab, ac).unit();
        }

        static Vec cross(Vec p, Vec q) {
            return new Vec(p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x);
        }

        @Override
        void intersect(Ray ray, Hit hit) {
            Vec p = cross(ray.to, ac);
            double det = ab.dot(p);
            if (Math.abs(det) < 1e-9) return;
            Vec t = ray.from.minus(a);
            double u = t.dot(p) / det;
            if (u < 0 || u > 1) return;
            Vec q = cross(t, ab);
            double v = ray.to.dot(q) / det;
            if (v >= 0 && u + v <= 1) hit.offer(ac.dot(q) / det, this);
        }

        @Override
        Vec normal(Vec at) {
            return normal;
        }

        @Override
        Vec centre() {
            return a.plus(ab.plus(ac).times(1 / 3.0));
        }

        @Override
        void bound(Box box) {
            box.add(a);
            box.add(a.plus(ab));
            box.add(a.plus(ac));
        }
    }

    static final class Tree {
        private final Box box = new Box();
        private Tree left;
        private Tree right;
        private List<Shape> shapes;

        Tree(List<Shape> all, int axis) {
            for (Shape shape : all) shape.bound(box);
            if (all.size() <= 3) {
                shapes = all;
                return;
            }
            List<Shape> sorted = new ArrayList<>(all);
            sorted.sort(Comparator.comparingDouble(shape -> shape.centre().axis(axis)));
            int middle = sorted.size() / 2;
            left = new Tree(new ArrayList<>(sorted.subList(0, middle)), (axis + 1) % 3);
            right = new Tree(new ArrayList<>(sorted.subList(middle, sorted.size())), (axis + 1) % 3);
        }

        void intersect(Ray ray, Hit hit) {
            if (!box.isHit(ray, hit.distance)) return;
            if (shapes == null) {
                left.intersect(ray, hit);
                right.intersect(ray, hit);
                return;
            }
            for (Shape shape : shapes) shape.intersect(ray, hit);
        }
    }

    private final Tree tree;
    private final Vec light = new Vec(-40, 80, -60);

    Tracer(List<Shape> shapes) {
        tree = new Tree(shapes, 0);
    }

    private Vec colour(Ray ray, int depth) {
        Hit hit = new Hit();
        tree.intersect(ray, hit);
        if (hit.shape == null) return new Vec(0.3, 0.4, 0.6 + 0.3 * ray.to.y);
        Vec at = ray.from.plus(ray.to.times(hit.distance));
        Vec normal = hit.shape.normal(at);
        if (normal.dot(ray.to) > 0) normal = normal.times(-1);
        Vec way = light.minus(at).unit();
        Hit shadow = new Hit();
        tree.intersect(new Ray(at, way), shadow);
        double lit = 0.15 + (shadow.shape == null ? 0.85 * Math.max(0, way.dot(normal)) : 0);
        int c = hit.shape.colour;
        Vec own = new Vec((c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0, (c & 255) / 255.0).times(lit);
        if (hit.shape.mirror == 0 || depth == 0) return own;
        Vec mirrored = ray.to.minus(normal.times(2 * normal.dot(ray.to)));
        return own.times(1 - hit.shape.mirror).plus(colour(new Ray(at, mirrored), depth - 1).times(hit.shape.mirror));
    }

    int[] render(int width, int height) throws InterruptedException {
        int[] picture = new int[width * height];
        AtomicInteger line = new AtomicInteger();
        Runnable work = () -> {
            for (int y = line.getAndIncrement(); y < height; y = line.getAndIncrement()) {
                for (int x = 0; x < width; x++) {
                    Vec to = new Vec((x - width / 2.0) / width, (height / 2.0 - y) / width, 0.8).unit();
                    Vec c = colour(new Ray(new Vec(0, 6, -32), to), 3);
                    int red = (int) Math.min(255, 255 * c.x);
                    int green = (int) Math.min(255, 255 * c.y);
                    picture[y * width + x] = red << 16 | green << 8 | (int) Math.min(255, 255 * c.z);
                }
            }
        };
        Thread[] workers = {new Thread(work), new Thread(work)};
        for (Thread worker : workers) worker.start();
        for (Thread worker : workers) worker.join();
        return picture;
    }

    public static void main(String[] args) throws Exception {
        int width = args.length > 0 ? Integer.parseInt(args[0]) : 320;
        List<Shape> shapes = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            double angle = i * 0.61803 * 2 * Math.PI;
            double far = Math.sqrt(i) * 0.9;
            Vec centre = new Vec(far * Math.cos(angle), 0.5 + i % 7, far * Math.sin(angle));
            shapes.add(new Sphere(centre, 0.4 + i % 3 * 0.1, i * 0x3b1f7 & 0xffffff, i % 4 == 0 ? 0.5 : 0));
        }
        for (int i = -12; i < 12; i++) {
            for (int j = -12; j < 12; j++) {
                Vec a = new Vec(2 * i, 0, 2 * j);
                int colour = (i + j & 1) == 0 ? 0xc0c0c0 : 0x404060;
                shapes.add(new Triangle(a, a.plus(new Vec(2, 0, 0)), a.plus(new Vec(0, 0, 2)), colour));
                shapes.add(new Triangle(a.plus(new Vec(2, 0, 2)), a.plus(new Vec(2, 0, 0)), a.plus(new Vec(0, 0, 2)), colour));
            }
        }
        int[] picture = new Tracer(shapes).render(width, width * 3 / 4);
        System.out.println(java.util.Arrays.hashCode(picture));
    }
}
