// ThreadLocal: initial values, inheritance, removal, per-thread formatters, weak and soft references with queues.

import java.lang.ref.*;
import java.util.*;

public class Locals {
    static final ThreadLocal<List<String>> LIST = ThreadLocal.withInitial(ArrayList::new);
    static final ThreadLocal<Integer> COUNTER = new ThreadLocal<>() {
        @Override protected Integer initialValue() { return 100; }
    };
    static final InheritableThreadLocal<String> NAME = new InheritableThreadLocal<>() {
        @Override protected String childValue(String parent) { return parent + "'s child"; }
    };

    static class Worker extends Thread {
        String result;
        @Override public void run() {
            LIST.get().add("w");
            COUNTER.set(COUNTER.get() + LIST.get().size());
            result = NAME.get() + COUNTER.get();
            LIST.remove();
        }
    }

    static class Key {
        final String text;
        Key(String text) { this.text = text; }
        @Override public int hashCode() { return text.hashCode(); }
        @Override public boolean equals(Object other) { return other instanceof Key key && key.text.equals(text); }
    }

    public static void main(String[] args) throws Exception {
        NAME.set("main");
        LIST.get().add("m");
        Worker[] workers = {new Worker(), new Worker()};
        for (Worker worker : workers) worker.start();
        for (Worker worker : workers) {
            worker.join();
            System.out.println(worker.result);
        }
        System.out.println(LIST.get() + " " + COUNTER.get());
        WeakHashMap<Key, String> map = new WeakHashMap<>();
        Key kept = new Key("kept");
        map.put(kept, "1");
        map.put(new Key("dropped"), "2");
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        PhantomReference<Object> phantom = new PhantomReference<>(new Object(), queue);
        SoftReference<Key> soft = new SoftReference<>(kept);
        System.gc();
        System.out.println(queue.remove(2000) == phantom);
        System.out.println(map.get(new Key("kept")) + soft.get().text);
    }
}
