import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A chain of filters over a picture, in bands that two threads work on: blur, edges, median, histogram, scaling, dithering. */
public class Filters {
    static final class Picture {
        final int width;
        final int height;
        final int[] pixels;

        Picture(int width, int height) {
            this.width = width;
            this.height = height;
            pixels = new int[width * height];
        }

        int at(int x, int y) {
            int cx = Math.min(Math.max(x, 0), width - 1);
            int cy = Math.min(Math.max(y, 0), height - 1);
            return pixels[cy * width + cx];
        }
    }

    abstract static class Filter {
        abstract void band(Picture from, Picture into, int top, int bottom);

        Picture target(Picture from) {
            return new Picture(from.width, from.height);
        }
    }

    static final class Convolution extends Filter {
        private final int[][] kernel;
        private final int divisor;

        Convolution(int divisor, int[]... kernel) {
            this.kernel = kernel;
            this.divisor = divisor;
        }

        @Override
        void band(Picture from, Picture into, int top, int bottom) {
            int reach = kernel.length / 2;
            for (int y = top; y < bottom; y++) {
                for (int x = 0; x < from.width; x++) {
                    int red = 0;
                    int green = 0;
                    int blue = 0;
                    for (int ky = 0; ky < kernel.length; ky++) {
                        int[] row = kernel[ky];
                        for (int kx = 0; kx < row.length; kx++) {
                            int pixel = from.at(x + kx - reach, y + ky - reach);
                            red += row[kx] * (pixel >> 16 & 255);
                            green += row[kx] * (pixel >> 8 & 255);
                            blue += row[kx] * (pixel & 255);
                        }
                    }
                    into.pixels[y * into.width + x] = pack(red / divisor, green / divisor, blue / divisor);
                }
            }
        }
    }

    static final class Median extends Filter {
        @Override
        void band(Picture from, Picture into, int top, int bottom) {
            int[] window = new int[9];
            for (int y = top; y < bottom; y++) {
                for (int x = 0; x < from.width; x++) {
                    int result = 0;
                    for (int shift = 0; shift < 24; shift += 8) {
                        int n = 0;
                        for (int dy = -1; dy <= 1; dy++) {
                            for (int dx = -1; dx <= 1; dx++) {
                                int value = from.at(x + dx, y + dy) >> shift & 255;
                                int j = n++;
                                while (j > 0 && window[j - 1] > value) {
                                    window[j] = window[j - 1];
                                    j--;
                                }
                                window[j] = value;
                            }
                        }
                        result |= window[4] << shift;
                    }
                    into.pixels[y * into.width + x] = result;
                }
            }
        }
    }

    static final class Grey extends Filter {
        private final int[] table = new int[256];

        Grey(double gamma) {
            for (int i = 0; i < 256; i++) table[i] = (int) Math.round(255 * Math.pow(i / 255.0, gamma));
        }

        @Override
        void band(Picture from, Picture into, int top, int bottom) {
            for (int i = top * from.width; i < bottom * from.width; i++) {
                int pixel = from.pixels[i];
                int light = (299 * (pixel >> 16 & 255) + 587 * (pixel >> 8 & 255) + 114 * (pixel & 255)) / 1000;
                int value = table[light];
                into.pixels[i] = pack(value, value, value);
            }
        }
    }

    static final class Half extends Filter {
        @Override
        Picture target(Picture from) {
            return new Picture(from.width / 2, from.height / 2);
        }

        @Override
        void band(Picture from, Picture into, int top, int bottom) {
            for (int y = top; y < bottom; y++) {
                for (int x = 0; x < into.width; x++) {
                    int a = from.pixels[2 * y * from.width + 2 * x];
                    int b = from.pixels[2 * y * from.width + 2 * x + 1];
                    int c = from.pixels[(2 * y + 1) * from.width + 2 * x];
                    int d = from.pixels[(2 * y + 1) * from.width + 2 * x + 1];
                    int sum = 0;
                    for (int shift = 0; shift < 24; shift += 8) {
                        int four = (a >> shift & 255) + (b >> shift & 255) + (c >> shift & 255) + (d >> shift & 255);
                        sum |= four / 4 << shift;
                    }
                    into.pixels[y * into.width + x] = sum;
                }
            }
        }
    }

    static int pack(int red, int green, int blue) {
        return clamp(red) << 16 | clamp(green) << 8 | clamp(blue);
    }

    private static int clamp(int value) {
        return value < 0 ? 0 : Math.min(value, 255);
    }

    private static <T> List<T> inBands(ExecutorService pool, int height, java.util.function.BiFunction<Integer, Integer, T> band)
        throws Exception {
        List<Callable<T>> tasks = new ArrayList<>();
        int bands = 6;
        for (int i = 0; i < bands; i++) {
            int top = height * i / bands;
            int bottom = height * (i + 1) / bands;
            tasks.add(() -> band.apply(top, bottom));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> future : pool.invokeAll(tasks)) results.add(future.get());
        return results;
    }

    private static int[] histogram(ExecutorService pool, Picture picture) throws Exception {
        int[] all = new int[256];
        for (int[] part : inBands(pool, picture.height, (top, bottom) -> {
            int[] counts = new int[256];
            for (int i = top * picture.width; i < bottom * picture.width; i++) counts[picture.pixels[i] & 255]++;
            return counts;
        })) {
            for (int i = 0; i < 256; i++) all[i] += part[i];
        }
        return all;
    }

    private static int dither(Picture picture) {
        int[] errors = new int[picture.width + 2];
        int black = 0;
        for (int y = 0; y < picture.height; y++) {
            int carried = 0;
            int[] below = new int[picture.width + 2];
            for (int x = 0; x < picture.width; x++) {
                int value = (picture.pixels[y * picture.width + x] & 255) + carried + errors[x + 1];
                int shown = value < 128 ? 0 : 255;
                black += shown == 0 ? 1 : 0;
                int error = value - shown;
                carried = error * 7 / 16;
                below[x] += error * 3 / 16;
                below[x + 1] += error * 5 / 16;
                below[x + 2] += error / 16;
            }
            errors = below;
        }
        return black;
    }

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Filter> filters = List.of(
            new Convolution(16, new int[] {1, 2, 1}, new int[] {2, 4, 2}, new int[] {1, 2, 1}),
            new Median(),
            new Convolution(1, new int[] {0, -1, 0}, new int[] {-1, 5, -1}, new int[] {0, -1, 0}),
            new Half(),
            new Grey(0.8));
        for (int round = 0; round < rounds; round++) {
            Picture picture = new Picture(800, 600);
            for (int y = 0; y < picture.height; y++) {
                for (int x = 0; x < picture.width; x++) {
                    int noise = (x * 73856093 ^ y * 19349663 ^ round) >>> 7 & 31;
                    picture.pixels[y * picture.width + x] = pack(x * y / 1900 + noise, x / 4 + noise, (x ^ y) & 255);
                }
            }
            for (Filter filter : filters) {
                Picture from = picture;
                Picture into = filter.target(from);
                inBands(pool, into.height, (top, bottom) -> {
                    filter.band(from, into, top, bottom);
                    return null;
                });
                picture = into;
            }
            int[] histogram = histogram(pool, picture);
            int hash = Arrays.hashCode(histogram);
            System.out.println(round + " " + hash + " " + Arrays.hashCode(picture.pixels) + " " + dither(picture));
        }
        pool.shutdown();
    }
}
