// A JUnit suite of commons-lang3: strings, builders, ranges, and its concurrent helpers, some of it by several threads.
// jars: junit4 hamcrest-core commons-lang3

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.lang3.ArrayUtils;
import org.apache.commons.lang3.Range;
import org.apache.commons.lang3.StringUtils;
import org.apache.commons.lang3.builder.EqualsBuilder;
import org.apache.commons.lang3.builder.HashCodeBuilder;
import org.apache.commons.lang3.builder.ToStringBuilder;
import org.apache.commons.lang3.builder.ToStringStyle;
import org.apache.commons.lang3.concurrent.AtomicInitializer;
import org.apache.commons.lang3.concurrent.BackgroundInitializer;
import org.apache.commons.lang3.concurrent.LazyInitializer;
import org.apache.commons.lang3.concurrent.Memoizer;
import org.apache.commons.lang3.math.Fraction;
import org.apache.commons.lang3.mutable.MutableInt;
import org.junit.Test;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;

public class LangSuite {
    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        int run = 0;
        int failed = 0;
        for (int i = 0; i < rounds; i++) {
            Result result = JUnitCore.runClasses(LangSuite.class);
            result.getFailures().forEach(failure -> System.out.println(failure));
            run += result.getRunCount();
            failed += result.getFailureCount();
        }
        System.out.println(run + " tests, " + failed + " failures");
        System.exit(failed == 0 ? 0 : 1);
    }

    @Test
    public void strings() {
        for (int i = 0; i < 2000; i++) {
            String text = StringUtils.repeat("ab", i % 7);
            assertEquals(text, StringUtils.reverse(StringUtils.reverse(text)));
            assertEquals(i % 7, StringUtils.countMatches(text, "ab"));
            assertEquals("  x", StringUtils.leftPad("x", 3));
            assertTrue(StringUtils.isBlank("  ") && StringUtils.getLevenshteinDistance("seam", "seams") == 1);
        }
    }

    @Test
    public void arrays() {
        int[] numbers = {};
        for (int i = 0; i < 300; i++) numbers = ArrayUtils.add(numbers, i);
        int[] reversed = numbers.clone();
        ArrayUtils.reverse(reversed);
        ArrayUtils.reverse(reversed);
        assertArrayEquals(numbers, reversed);
        assertTrue(ArrayUtils.isSorted(numbers));
        assertEquals(200, ArrayUtils.indexOf(numbers, 200));
    }

    static class Point {
        final int x;
        final int y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Point && new EqualsBuilder().append(x, ((Point) other).x).append(y, ((Point) other).y).isEquals();
        }

        @Override
        public int hashCode() {
            return new HashCodeBuilder().append(x).append(y).toHashCode();
        }

        @Override
        public String toString() {
            return new ToStringBuilder(this, ToStringStyle.SIMPLE_STYLE).append(x).append(y).toString();
        }
    }

    @Test
    public void builders() {
        for (int i = 0; i < 500; i++) {
            assertEquals(new Point(i, 2), new Point(i, 2));
            assertNotEquals(new Point(i, 2), new Point(i, 3));
            assertEquals(new Point(i, 2).hashCode(), new Point(i, 2).hashCode());
            assertEquals(i + ",2", new Point(i, 2).toString());
        }
    }

    @Test
    public void numbers() {
        Fraction sum = Fraction.ZERO;
        for (int i = 1; i <= 12; i++) sum = sum.add(Fraction.getFraction(1, i * (i + 1)));
        assertEquals(Fraction.getFraction(12, 13), sum);
        assertTrue(Range.between(1, 5).contains(3));
        assertFalse(Range.between(1, 5).isOverlappedBy(Range.between(6, 7)));
        MutableInt count = new MutableInt();
        for (int i = 0; i < 1000; i++) count.increment();
        assertEquals(1000, count.intValue());
    }

    private static <T> List<T> byThreads(java.util.concurrent.Callable<T> task) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        CountDownLatch start = new CountDownLatch(3);
        List<Future<T>> futures = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            futures.add(pool.submit(() -> {
                start.countDown();
                start.await();
                return task.call();
            }));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> future : futures) results.add(future.get());
        pool.shutdown();
        return results;
    }

    @Test
    public void lazily() throws Exception {
        AtomicInteger made = new AtomicInteger();
        LazyInitializer<Integer> lazy = new LazyInitializer<Integer>() {
            @Override
            protected Integer initialize() {
                return made.incrementAndGet();
            }
        };
        AtomicInitializer<String> atomic = new AtomicInitializer<String>() {
            @Override
            protected String initialize() {
                return "made";
            }
        };
        for (int one : byThreads(lazy::get)) assertEquals(1, one);
        for (String one : byThreads(atomic::get)) assertEquals("made", one);
        assertEquals(1, made.get());
    }

    @Test
    public void inTheBackground() throws Exception {
        BackgroundInitializer<Integer> background = new BackgroundInitializer<Integer>() {
            @Override
            protected Integer initialize() {
                return 42;
            }
        };
        background.start();
        assertEquals(Integer.valueOf(42), background.get());
        Memoizer<Integer, Integer> squares = new Memoizer<>((Integer number) -> number * number);
        List<Integer> sums = byThreads(() -> {
            int sum = 0;
            for (int i = 0; i < 100; i++) sum += squares.compute(i % 10);
            return sum;
        });
        for (int sum : sums) assertEquals(2850, sum);
    }
}
