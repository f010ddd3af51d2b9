// Spheres traced by threads that take every second line; each adds to one checksum under a lock of its own, which is a race.
public class RayTracer {
    static final class Vec {
        final double x;
        final double y;
        final double z;

        Vec(double x, double y, double z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        Vec minus(Vec other) {
            return new Vec(x - other.x, y - other.y, z - other.z);
        }

        Vec plus(Vec other, double factor) {
            return new Vec(x + other.x * factor, y + other.y * factor, z + other.z * factor);
        }

        double dot(Vec other) {
            return x * other.x + y * other.y + z * other.z;
        }

        Vec unit() {
            double length = Math.sqrt(dot(this));
            return new Vec(x / length, y / length, z / length);
        }
    }

    static class Sphere {
        Vec centre;
        double radius;
        double shine;

        double hit(Vec from, Vec direction) {
            Vec to = centre.minus(from);
            double along = to.dot(direction);
            double off = to.dot(to) - along * along;
            double inside = radius * radius - off;
            return inside < 0 ? -1 : along - Math.sqrt(inside);
        }
    }

    static class Interval {
        int from;
        int to;
        long checksum;
    }

    static Sphere[] scene;
    static long checksum;

    public static void main(String[] args) throws Exception {
        int size = args.length > 0 ? Integer.parseInt(args[0]) : 260;
        scene = new Sphere[64];
        for (int i = 0; i < scene.length; i++) {
            scene[i] = new Sphere();
            scene[i].centre = new Vec(i % 4 - 1.5, i / 4 % 4 - 1.5, 4 + i / 16);
            scene[i].radius = 0.45;
            scene[i].shine = i % 7 / 7.0;
        }
        Thread[] workers = new Thread[2];
        for (int t = 0; t < workers.length; t++) {
            Interval interval = new Interval();
            interval.from = size * t / workers.length;
            interval.to = size * (t + 1) / workers.length;
            workers[t] = new Thread(() -> render(interval, size));
            workers[t].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(checksum > 0);
    }

    static void render(Interval interval, int size) {
        Vec eye = new Vec(0, 0, -3);
        for (int y = interval.from; y < interval.to; y++) {
            for (int x = 0; x < size; x++) {
                Vec direction = new Vec((x - size / 2.0) / size * 2, (y - size / 2.0) / size * 2, 2).unit();
                interval.checksum += (long) (trace(eye, direction, 0) * 255);
            }
        }
        synchronized (interval) {
            checksum += interval.checksum;
        }
    }

    static double trace(Vec from, Vec direction, int depth) {
        Sphere nearest = null;
        double best = Double.MAX_VALUE;
        for (Sphere sphere : scene) {
            double distance = sphere.hit(from, direction);
            if (distance > 1e-6 && distance < best) {
                best = distance;
                nearest = sphere;
            }
        }
        if (nearest == null) {
            return 0.1;
        }
        Vec point = from.plus(direction, best);
        Vec normal = point.minus(nearest.centre).unit();
        double light = Math.max(0, normal.dot(new Vec(0.5, 0.5, -0.7)));
        if (depth < 3 && nearest.shine > 0) {
            Vec mirrored = direction.plus(normal, -2 * direction.dot(normal));
            light += nearest.shine * trace(point, mirrored, depth + 1);
        }
        return light;
    }
}
