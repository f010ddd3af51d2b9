// Fourier coefficients: heavy arithmetic, few accesses.
public class Series {
    static double[][] coefficients;

    public static void main(String[] args) throws Exception {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 60;
        coefficients = new double[2][count];
        Thread[] workers = new Thread[2];
        for (int t = 0; t < workers.length; t++) {
            int id = t;
            workers[t] = new Thread(() -> {
                for (int n = id; n < count; n += 2) {
                    coefficients[0][n] = integrate(n, 0);
                    coefficients[1][n] = integrate(n, 1);
                }
            });
            workers[t].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.printf("%.6f%n", coefficients[0][1]);
    }

    static double integrate(int n, int kind) {
        double sum = 0;
        int steps = 8000;
        for (int i = 0; i < steps; i++) {
            double x = 2.0 * i / steps;
            double value = Math.pow(x + 1, x);
            sum += value * (kind == 0 ? Math.cos(Math.PI * n * x) : Math.sin(Math.PI * n * x)) * 2 / steps;
        }
        return sum;
    }
}
