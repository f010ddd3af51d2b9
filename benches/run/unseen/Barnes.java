import java.util.concurrent.CyclicBarrier;

/** Bodies that attract each other, by the method of Barnes and Hut: one thread builds a tree in each step, two walk through it. */
public class Barnes {
    static final class Body {
        double x;
        double y;
        double z;
        double vx;
        double vy;
        double vz;
        double ax;
        double ay;
        double az;
        final double mass;

        Body(double mass) {
            this.mass = mass;
        }

        void move(double dt) {
            vx += ax * dt;
            vy += ay * dt;
            vz += az * dt;
            x += vx * dt;
            y += vy * dt;
            z += vz * dt;
        }
    }

    static final class Cell {
        private final double cx;
        private final double cy;
        private final double cz;
        private final double half;
        private double mass;
        private double mx;
        private double my;
        private double mz;
        private Body body;
        private Cell[] children;

        Cell(double cx, double cy, double cz, double half) {
            this.cx = cx;
            this.cy = cy;
            this.cz = cz;
            this.half = half;
        }

        private Cell child(Body of) {
            int index = (of.x > cx ? 1 : 0) | (of.y > cy ? 2 : 0) | (of.z > cz ? 4 : 0);
            Cell found = children[index];
            if (found == null) {
                double quarter = half / 2;
                found = children[index] = new Cell(
                    cx + ((index & 1) != 0 ? quarter : -quarter), cy + ((index & 2) != 0 ? quarter : -quarter),
                    cz + ((index & 4) != 0 ? quarter : -quarter), quarter);
            }
            return found;
        }

        void insert(Body added) {
            if (mass == 0 || half < 1e-6) {
                body = added;
            } else {
                if (children == null) {
                    children = new Cell[8];
                    child(body).insert(body);
                    body = null;
                }
                child(added).insert(added);
            }
            double sum = mass + added.mass;
            mx = (mx * mass + added.x * added.mass) / sum;
            my = (my * mass + added.y * added.mass) / sum;
            mz = (mz * mass + added.z * added.mass) / sum;
            mass = sum;
        }

        void pull(Body of) {
            if (body == of) return;
            double dx = mx - of.x;
            double dy = my - of.y;
            double dz = mz - of.z;
            double distance = dx * dx + dy * dy + dz * dz + 0.01;
            if (children != null && 4 * half * half > 0.36 * distance) {
                for (Cell child : children) {
                    if (child != null) child.pull(of);
                }
                return;
            }
            double force = mass / (distance * Math.sqrt(distance));
            of.ax += dx * force;
            of.ay += dy * force;
            of.az += dz * force;
        }
    }

    private final Body[] bodies;
    private Cell root;

    Barnes(int count) {
        bodies = new Body[count];
        long seed = 3;
        for (int i = 0; i < count; i++) {
            Body body = bodies[i] = new Body(1.0 / count);
            double[] place = new double[3];
            for (int k = 0; k < 3; k++) {
                seed = seed * 6364136223846793005L + 1;
                place[k] = (seed >>> 11) / (double) (1L << 53) * 2 - 1;
            }
            body.x = place[0];
            body.y = place[1];
            body.z = place[2];
            body.vx = -0.5 * place[1];
            body.vy = 0.5 * place[0];
        }
    }

    private void build() {
        double reach = 0;
        for (Body body : bodies) {
            reach = Math.max(reach, Math.max(Math.abs(body.x), Math.max(Math.abs(body.y), Math.abs(body.z))));
        }
        Cell made = new Cell(0, 0, 0, reach + 1e-3);
        for (Body body : bodies) made.insert(body);
        root = made;
    }

    private void walk(int from, int to) {
        for (int i = from; i < to; i++) {
            Body body = bodies[i];
            body.ax = 0;
            body.ay = 0;
            body.az = 0;
            root.pull(body);
        }
        for (int i = from; i < to; i++) bodies[i].ax *= 0.999;
    }

    void run(int steps) throws InterruptedException {
        CyclicBarrier barrier = new CyclicBarrier(2, this::build);
        CyclicBarrier moved = new CyclicBarrier(2);
        Thread[] threads = new Thread[2];
        for (int t = 0; t < 2; t++) {
            int from = bodies.length / 2 * t;
            int to = bodies.length / 2 * (t + 1);
            threads[t] = new Thread(() -> {
                try {
                    for (int step = 0; step < steps; step++) {
                        barrier.await();
                        walk(from, to);
                        moved.await();
                        for (int i = from; i < to; i++) bodies[i].move(0.01);
                    }
                } catch (Exception failure) {
                    throw new IllegalStateException(failure);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
    }

    public static void main(String[] args) throws Exception {
        int steps = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        Barnes system = new Barnes(6000);
        system.run(steps);
        double energy = 0;
        for (Body body : system.bodies) {
            energy += body.mass * (body.vx * body.vx + body.vy * body.vy + body.vz * body.vz) / 2;
        }
        System.out.printf("%.9f %.9f %.9f%n", energy, system.bodies[0].x, system.bodies[system.bodies.length - 1].z);
    }
}
