// Molecular dynamics: forces between particles, each thread into arrays of its own, summed after a barrier.
import java.util.concurrent.CyclicBarrier;

public class Moldyn {
    static class Particle {
        double x, y, z, vx, vy, vz, fx, fy, fz;
    }

    static Particle[] particles;
    static double[][] forces;

    public static void main(String[] args) throws Exception {
        int count = 2048;
        int steps = args.length > 0 ? Integer.parseInt(args[0]) : 10;
        int threads = 2;
        particles = new Particle[count];
        for (int i = 0; i < count; i++) {
            particles[i] = new Particle();
            particles[i].x = i % 8;
            particles[i].y = i / 8 % 8;
            particles[i].z = i / 64;
        }
        forces = new double[threads][3 * count];
        CyclicBarrier barrier = new CyclicBarrier(threads);
        Thread[] workers = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int id = t;
            workers[t] = new Thread(() -> {
                try {
                    for (int step = 0; step < steps; step++) {
                        attract(id, threads);
                        barrier.await();
                        move(count * id / threads, count * (id + 1) / threads);
                        barrier.await();
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            workers[t].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        double energy = 0;
        for (Particle p : particles) {
            energy += p.vx * p.vx + p.vy * p.vy + p.vz * p.vz;
        }
        System.out.printf("%.6f%n", energy);
    }

    static void attract(int id, int threads) {
        double[] force = forces[id];
        java.util.Arrays.fill(force, 0);
        for (int i = id; i < particles.length; i += threads) {
            Particle a = particles[i];
            for (int j = i + 1; j < particles.length; j++) {
                Particle b = particles[j];
                double dx = a.x - b.x;
                double dy = a.y - b.y;
                double dz = a.z - b.z;
                double square = dx * dx + dy * dy + dz * dz + 0.01;
                double strength = 1e-4 / (square * Math.sqrt(square));
                force[3 * i] -= dx * strength;
                force[3 * i + 1] -= dy * strength;
                force[3 * i + 2] -= dz * strength;
                force[3 * j] += dx * strength;
                force[3 * j + 1] += dy * strength;
                force[3 * j + 2] += dz * strength;
            }
        }
    }

    static void move(int from, int to) {
        for (int i = from; i < to; i++) {
            Particle p = particles[i];
            p.fx = p.fy = p.fz = 0;
            for (double[] force : forces) {
                p.fx += force[3 * i];
                p.fy += force[3 * i + 1];
                p.fz += force[3 * i + 2];
            }
            p.vx += p.fx;
            p.vy += p.fy;
            p.vz += p.fz;
            p.x += p.vx;
            p.y += p.vy;
            p.z += p.vz;
        }
    }
}
