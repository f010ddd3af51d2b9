// Apache commons-pool 2: object pools with eviction, abandonment and proxies, used by several threads.
// jars: commons-pool2

import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import org.apache.commons.pool2.*;
import org.apache.commons.pool2.impl.*;
import org.apache.commons.pool2.proxy.*;

public class Pool2 {
    public interface Counter {
        int next();
    }

    static class Counting implements Counter {
        private int value;

        @Override public int next() {
            return ++value;
        }
    }

    static class Factory extends BasePooledObjectFactory<Counter> {
        @Override public Counter create() {
            return new Counting();
        }

        @Override public PooledObject<Counter> wrap(Counter counter) {
            return new DefaultPooledObject<>(counter);
        }

        @Override public boolean validateObject(PooledObject<Counter> pooled) {
            return pooled.getObject().next() < 200;
        }
    }

    static class KeyedFactory extends BaseKeyedPooledObjectFactory<String, Counter> {
        @Override public Counter create(String key) {
            return new Counting();
        }

        @Override public PooledObject<Counter> wrap(Counter counter) {
            return new DefaultPooledObject<>(counter);
        }
    }

    public static void main(String[] args) throws Exception {
        GenericObjectPoolConfig<Counter> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(3);
        config.setMinIdle(1);
        config.setTestOnBorrow(true);
        config.setTestWhileIdle(true);
        config.setTimeBetweenEvictionRuns(Duration.ofMillis(20));
        config.setMinEvictableIdleTime(Duration.ofMillis(10));
        config.setJmxEnabled(true);
        try (GenericObjectPool<Counter> pool = new GenericObjectPool<>(new Factory(), config)) {
            use(pool);
            Thread.sleep(80);
            pool.evict();
            System.out.println("borrowed " + pool.getBorrowedCount() + " " + (pool.listAllObjects().size() <= 3));
        }
        abandoned();
        keyed();
        proxied();
        use(new SoftReferenceObjectPool<>(new Factory()));
        use(PoolUtils.synchronizedPool(PoolUtils.erodingPool(new GenericObjectPool<>(new Factory()))));
        exhausted();
    }

    static void use(ObjectPool<Counter> pool) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(4);
        List<Future<Integer>> sums = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            sums.add(executor.submit(() -> {
                int sum = 0;
                for (int i = 0; i < 15; i++) {
                    Counter counter = pool.borrowObject();
                    sum += counter.next();
                    if (i % 7 == 6) {
                        pool.invalidateObject(counter);
                    } else {
                        pool.returnObject(counter);
                    }
                }
                return sum;
            }));
        }
        boolean positive = true;
        for (Future<Integer> sum : sums) {
            positive &= sum.get() > 0;
        }
        executor.shutdown();
        pool.addObjects(2);
        pool.clear();
        System.out.println("sums " + positive);
    }

    static void abandoned() throws Exception {
        AbandonedConfig config = new AbandonedConfig();
        config.setRemoveAbandonedOnBorrow(true);
        config.setRemoveAbandonedTimeout(Duration.ofMillis(1));
        config.setLogAbandoned(true);
        config.setLogWriter(new java.io.PrintWriter(java.io.Writer.nullWriter()));
        GenericObjectPoolConfig<Counter> limits = new GenericObjectPoolConfig<>();
        limits.setMaxTotal(2);
        try (GenericObjectPool<Counter> pool = new GenericObjectPool<>(new Factory(), limits, config)) {
            pool.borrowObject();
            pool.borrowObject();
            Thread.sleep(20);
            System.out.println("again " + (pool.borrowObject() != null));
        }
    }

    static void keyed() throws Exception {
        GenericKeyedObjectPoolConfig<Counter> config = new GenericKeyedObjectPoolConfig<>();
        config.setMaxTotalPerKey(2);
        config.setLifo(false);
        try (GenericKeyedObjectPool<String, Counter> pool = new GenericKeyedObjectPool<>(new KeyedFactory(), config)) {
            for (int i = 0; i < 6; i++) {
                Counter counter = pool.borrowObject("k" + i % 2);
                counter.next();
                pool.returnObject("k" + i % 2, counter);
            }
            pool.preparePool("k0");
            pool.clearOldest();
            System.out.println("keys " + pool.getNumActivePerKey().size());
        }
    }

    static void proxied() throws Exception {
        JdkProxySource<Counter> source = new JdkProxySource<>(Pool2.class.getClassLoader(), new Class<?>[] {Counter.class});
        ObjectPool<Counter> pool = new ProxiedObjectPool<>(new GenericObjectPool<>(new Factory()), source);
        Counter counter = pool.borrowObject();
        System.out.println("proxy " + counter.next());
        pool.returnObject(counter);
        try {
            counter.next();
        } catch (IllegalStateException expected) {
            System.out.println("returned");
        }
        pool.close();
    }

    static void exhausted() throws Exception {
        GenericObjectPoolConfig<Counter> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(1);
        config.setMaxWait(Duration.ofMillis(15));
        try (GenericObjectPool<Counter> pool = new GenericObjectPool<>(new Factory(), config)) {
            pool.borrowObject();
            pool.borrowObject();
        } catch (NoSuchElementException expected) {
            System.out.println("exhausted");
        }
    }
}
