import java.util.Comparator;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

/** Sorts numbers and records: merge sort and quick sort as tasks of a fork-join pool of two, a radix sort by two threads. */
public class Sorting {
    static final class Row {
        final int key;
        final String name;
        int rank;

        Row(int key, String name) {
            this.key = key;
            this.name = name;
        }
    }

    static final class MergeSort<T> extends RecursiveAction {
        private final T[] data;
        private final T[] spare;
        private final int from;
        private final int to;
        private final Comparator<? super T> order;

        MergeSort(T[] data, T[] spare, int from, int to, Comparator<? super T> order) {
            this.data = data;
            this.spare = spare;
            this.from = from;
            this.to = to;
            this.order = order;
        }

        @Override
        protected void compute() {
            if (to - from <= 32) {
                insertion();
                return;
            }
            int middle = from + to >>> 1;
            MergeSort<T> left = new MergeSort<>(data, spare, from, middle, order);
            MergeSort<T> right = new MergeSort<>(data, spare, middle, to, order);
            if (to - from > 4096) {
                invokeAll(left, right);
            } else {
                left.compute();
                right.compute();
            }
            System.arraycopy(data, from, spare, from, middle - from);
            int i = from;
            int j = middle;
            int at = from;
            while (i < middle && j < to) data[at++] = order.compare(spare[i], data[j]) <= 0 ? spare[i++] : data[j++];
            while (i < middle) data[at++] = spare[i++];
        }

        private void insertion() {
            for (int i = from + 1; i < to; i++) {
                T value = data[i];
                int j = i - 1;
                while (j >= from && order.compare(data[j], value) > 0) {
                    data[j + 1] = data[j];
                    j--;
                }
                data[j + 1] = value;
            }
        }
    }

    static final class QuickSort extends RecursiveAction {
        private final int[] data;
        private final int from;
        private final int to;

        QuickSort(int[] data, int from, int to) {
            this.data = data;
            this.from = from;
            this.to = to;
        }

        @Override
        protected void compute() {
            if (to - from < 8192) {
                sort(from, to - 1);
                return;
            }
            int split = partition(from, to - 1);
            invokeAll(new QuickSort(data, from, split + 1), new QuickSort(data, split + 1, to));
        }

        private int partition(int low, int high) {
            int pivot = data[low + high >>> 1];
            int i = low - 1;
            int j = high + 1;
            while (true) {
                do i++; while (data[i] < pivot);
                do j--; while (data[j] > pivot);
                if (i >= j) return j;
                int swapped = data[i];
                data[i] = data[j];
                data[j] = swapped;
            }
        }

        private void sort(int low, int high) {
            while (low < high) {
                int split = partition(low, high);
                if (split - low < high - split) {
                    sort(low, split);
                    low = split + 1;
                } else {
                    sort(split + 1, high);
                    high = split;
                }
            }
        }
    }

    static int[] radix(int[] data) throws InterruptedException {
        int[] from = data;
        int[] into = new int[data.length];
        int half = data.length / 2;
        for (int shift = 0; shift < 32; shift += 8) {
            int[][] counts = new int[2][256];
            int[] source = from;
            int[] target = into;
            int by = shift;
            both(part -> {
                for (int i = part * half; i < (part + 1) * half; i++) counts[part][source[i] >>> by & 255]++;
            });
            int sum = 0;
            for (int digit = 0; digit < 256; digit++) {
                for (int part = 0; part < 2; part++) {
                    int count = counts[part][digit];
                    counts[part][digit] = sum;
                    sum += count;
                }
            }
            both(part -> {
                for (int i = part * half; i < (part + 1) * half; i++) {
                    target[counts[part][source[i] >>> by & 255]++] = source[i];
                }
            });
            from = target;
            into = source;
        }
        return from;
    }

    private static void both(java.util.function.IntConsumer part) throws InterruptedException {
        Thread other = new Thread(() -> part.accept(1));
        other.start();
        part.accept(0);
        other.join();
    }

    private static int[] numbers(int count, int seed) {
        int[] made = new int[count];
        int state = seed;
        for (int i = 0; i < count; i++) {
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
            made[i] = state >>> 1;
        }
        return made;
    }

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        ForkJoinPool pool = new ForkJoinPool(2);
        for (int round = 1; round <= rounds; round++) {
            int[] quick = numbers(1_000_000, round);
            int[] digits = radix(quick.clone());
            pool.invoke(new QuickSort(quick, 0, quick.length));
            boolean same = java.util.Arrays.equals(quick, digits);
            Row[] rows = new Row[150_000];
            int[] keys = numbers(rows.length, 99 + round);
            for (int i = 0; i < rows.length; i++) rows[i] = new Row(keys[i] % 10_000, "row" + keys[i] % 333);
            Comparator<Row> order = (a, b) -> a.key != b.key ? Integer.compare(a.key, b.key) : a.name.compareTo(b.name);
            pool.invoke(new MergeSort<>(rows, new Row[rows.length], 0, rows.length, order));
            for (int i = 0; i < rows.length; i++) rows[i].rank = i;
            Row middle = rows[rows.length / 2];
            System.out.println(same + " " + quick[500_000] + " " + middle.key + " " + middle.name + " " + middle.rank);
        }
        pool.shutdown();
    }
}
