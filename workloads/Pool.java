// Apache commons-pool 1: object pools of every kind, used by several threads.
// jars: commons-pool

import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.pool.*;
import org.apache.commons.pool.impl.*;

public class Pool {
    static final AtomicInteger made = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        GenericObjectPool.Config config = new GenericObjectPool.Config();
        config.maxActive = 3;
        config.minIdle = 1;
        config.testOnBorrow = true;
        config.timeBetweenEvictionRunsMillis = 20;
        config.minEvictableIdleTimeMillis = 10;
        config.testWhileIdle = true;
        GenericObjectPool<StringBuilder> generic = new GenericObjectPool<>(new Buffers(), config);
        use(generic, 4, 20);
        Thread.sleep(80);
        generic.evict();
        System.out.println("idle " + (generic.getNumIdle() <= 3));
        generic.close();

        use(new StackObjectPool<>(new Buffers(), 2), 2, 10);
        use(new SoftReferenceObjectPool<>(new Buffers()), 2, 10);
        use(PoolUtils.synchronizedPool(PoolUtils.erodingPool(new GenericObjectPool<>(PoolUtils.synchronizedPoolableFactory(new Buffers())))), 2, 10);

        keyed(new GenericKeyedObjectPool<>(new Keyed(), 2));
        keyed(new StackKeyedObjectPool<>(new Keyed()));
        System.out.println("made " + (made.get() > 0) + " exhausted " + exhausted());
        ObjectPoolFactory<StringBuilder> factory = new GenericObjectPoolFactory<>(new Buffers());
        ObjectPool<StringBuilder> pool = factory.createPool();
        PoolUtils.prefill(pool, 2);
        TimerTask task = PoolUtils.checkMinIdle(pool, 1, 10);
        Thread.sleep(30);
        task.cancel();
        pool.close();
    }

    static void use(ObjectPool<StringBuilder> pool, int threads, int times) throws Exception {
        Thread[] all = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            all[t] = new Thread() {
                @Override public void run() {
                    for (int i = 0; i < times; i++) {
                        borrow(pool, i);
                    }
                }
            };
            all[t].start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        pool.addObject();
        pool.clear();
    }

    static void borrow(ObjectPool<StringBuilder> pool, int i) {
        try {
            StringBuilder buffer = pool.borrowObject();
            buffer.append(i);
            if (i % 7 == 6) {
                pool.invalidateObject(buffer);
            } else {
                pool.returnObject(buffer);
            }
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    static void keyed(KeyedObjectPool<String, StringBuilder> pool) throws Exception {
        for (int i = 0; i < 6; i++) {
            String key = "k" + i % 2;
            StringBuilder buffer = pool.borrowObject(key);
            pool.returnObject(key, buffer);
        }
        pool.addObject("k3");
        pool.clear("k0");
        pool.close();
    }

    static boolean exhausted() throws Exception {
        GenericObjectPool<StringBuilder> pool = new GenericObjectPool<>(new Buffers(), 1, GenericObjectPool.WHEN_EXHAUSTED_FAIL, 0);
        pool.borrowObject();
        try {
            pool.borrowObject();
            return false;
        } catch (NoSuchElementException expected) {
            return true;
        }
    }

    static class Buffers extends BasePoolableObjectFactory<StringBuilder> {
        @Override public StringBuilder makeObject() {
            made.incrementAndGet();
            return new StringBuilder();
        }

        @Override public boolean validateObject(StringBuilder buffer) {
            return buffer.length() < 8;
        }

        @Override public void passivateObject(StringBuilder buffer) {
            buffer.trimToSize();
        }
    }

    static class Keyed extends BaseKeyedPoolableObjectFactory<String, StringBuilder> {
        @Override public StringBuilder makeObject(String key) {
            return new StringBuilder(key);
        }
    }
}
