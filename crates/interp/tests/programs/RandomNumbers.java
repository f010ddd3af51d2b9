import java.util.*;

/** java.util.Random with fixed seeds, SplittableRandom, gaussian values, shuffles. */
public class RandomNumbers {
    public static void main(String[] args) {
        Random r = new Random(12345);
        for (int i = 0; i < 5; i++) System.out.print(r.nextInt() + " " + r.nextInt(100) + " " + r.nextLong() + " ");
        System.out.println();
        for (int i = 0; i < 4; i++) System.out.print(r.nextDouble() + " " + r.nextFloat() + " " + r.nextBoolean() + " " + r.nextGaussian() + " ");
        System.out.println();
        byte[] bytes = new byte[10];
        r.nextBytes(bytes);
        System.out.println(Arrays.toString(bytes));
        r.setSeed(-1);
        int[] histogram = new int[10];
        for (int i = 0; i < 2000; i++) histogram[r.nextInt(10)]++;
        System.out.println(Arrays.toString(histogram));
        SplittableRandom split = new SplittableRandom(99);
        System.out.println(split.nextInt(1000) + " " + split.split().nextLong() + " " + split.nextDouble());
        System.out.println(r.ints(5, 0, 50).sum() + " " + new Random(7).doubles(3).sum());
        double inside = 0;
        for (int i = 0; i < 1000; i++) {
            double x = r.nextDouble(), y = r.nextDouble();
            if (x * x + y * y <= 1) inside++;
        }
        System.out.println(4 * inside / 1000);
    }
}
