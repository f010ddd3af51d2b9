import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;

/** Convolves signals by the fast Fourier transform: rows, transposition, columns, as tasks of a pool of two threads. */
public class Fft {
    private final int size;
    private final double[] cos;
    private final double[] sin;
    private final int[] reversed;
    private final ExecutorService pool;

    Fft(int size, ExecutorService pool) {
        this.size = size;
        this.pool = pool;
        cos = new double[size / 2];
        sin = new double[size / 2];
        for (int i = 0; i < size / 2; i++) {
            cos[i] = Math.cos(-2 * Math.PI * i / size);
            sin[i] = Math.sin(-2 * Math.PI * i / size);
        }
        reversed = new int[size];
        int bits = Integer.numberOfTrailingZeros(size);
        for (int i = 0; i < size; i++) reversed[i] = Integer.reverse(i) >>> 32 - bits;
    }

    /** One row in place; complex numbers lie interleaved. */
    private void transform(double[] data, int from, boolean inverse) {
        for (int i = 0; i < size; i++) {
            int j = reversed[i];
            if (j <= i) continue;
            double re = data[from + 2 * i];
            double im = data[from + 2 * i + 1];
            data[from + 2 * i] = data[from + 2 * j];
            data[from + 2 * i + 1] = data[from + 2 * j + 1];
            data[from + 2 * j] = re;
            data[from + 2 * j + 1] = im;
        }
        for (int half = 1; half < size; half *= 2) {
            int stride = size / (2 * half);
            for (int block = 0; block < size; block += 2 * half) {
                for (int k = 0; k < half; k++) {
                    double wr = cos[k * stride];
                    double wi = inverse ? -sin[k * stride] : sin[k * stride];
                    int a = from + 2 * (block + k);
                    int b = a + 2 * half;
                    double re = data[b] * wr - data[b + 1] * wi;
                    double im = data[b] * wi + data[b + 1] * wr;
                    data[b] = data[a] - re;
                    data[b + 1] = data[a + 1] - im;
                    data[a] += re;
                    data[a + 1] += im;
                }
            }
        }
        if (!inverse) return;
        for (int i = from; i < from + 2 * size; i++) data[i] /= size;
    }

    private interface Rows {
        void apply(int from, int to);
    }

    private void inParts(Rows rows) throws Exception {
        int parts = 8;
        List<Future<?>> futures = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            int from = size * part / parts;
            int to = size * (part + 1) / parts;
            futures.add(pool.submit(() -> rows.apply(from, to)));
        }
        for (Future<?> future : futures) future.get();
    }

    private void rows(double[] data, boolean inverse) throws Exception {
        inParts((from, to) -> {
            for (int row = from; row < to; row++) transform(data, 2 * size * row, inverse);
        });
    }

    private double[] transposed(double[] data) throws Exception {
        double[] made = new double[data.length];
        inParts((from, to) -> {
            for (int row = from; row < to; row++) {
                for (int column = 0; column < size; column++) {
                    made[2 * (row * size + column)] = data[2 * (column * size + row)];
                    made[2 * (row * size + column) + 1] = data[2 * (column * size + row) + 1];
                }
            }
        });
        return made;
    }

    double[] forward(double[] data) throws Exception {
        rows(data, false);
        double[] turned = transposed(data);
        rows(turned, false);
        return turned;
    }

    double[] backward(double[] turned) throws Exception {
        rows(turned, true);
        double[] data = transposed(turned);
        rows(data, true);
        return data;
    }

    void multiply(double[] data, double[] kernel) throws Exception {
        inParts((from, to) -> {
            for (int i = from * size; i < to * size; i++) {
                double re = data[2 * i] * kernel[2 * i] - data[2 * i + 1] * kernel[2 * i + 1];
                data[2 * i + 1] = data[2 * i] * kernel[2 * i + 1] + data[2 * i + 1] * kernel[2 * i];
                data[2 * i] = re;
            }
        });
    }

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 4;
        int size = 512;
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Fft fft = new Fft(size, pool);
        double[] kernel = new double[2 * size * size];
        for (int i = -3; i <= 3; i++) {
            for (int j = -3; j <= 3; j++) kernel[2 * ((i & size - 1) * size + (j & size - 1))] = 1 / 49.0;
        }
        double[] kernelSpectrum = fft.forward(kernel);
        double[] picture = new double[2 * size * size];
        for (int i = 0; i < size * size; i++) picture[2 * i] = (i * 2654435761L >>> 16) % 256;
        for (int round = 0; round < rounds; round++) {
            double[] spectrum = fft.forward(picture);
            fft.multiply(spectrum, kernelSpectrum);
            picture = fft.backward(spectrum);
            double energy = 0;
            for (int i = 0; i < size * size; i++) energy += picture[2 * i] * picture[2 * i];
            System.out.printf("%d %.3f %.3f%n", round, picture[2 * 777], energy);
        }
        pool.shutdown();
    }
}
