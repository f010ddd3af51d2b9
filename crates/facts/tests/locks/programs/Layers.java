import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Objects that belong to an owner through several layers, guarded by a lock of the owner; and ways to lose the owner. */
public class Layers {
    static int rounds = 2;

    /** What the owners below hold. */
    static class Item {
        int n;
    }

    //: map.put map.get proof
    //: map.put map.peek none
    static class ByMap {
        final Map<String, List<Item>> lists = new HashMap<>();
        synchronized void put(String key) {
            List<Item> list = lists.get(key);
            if (list == null) {
                list = new ArrayList<>();
                lists.put(key, list);
            }
            Item item = new Item();
            list.add(item);
            list.get(0).n++; //@ map.put
        }
        synchronized int get(String key) {
            int sum = 0;
            for (Item item : lists.get(key)) {
                sum += item.n; //@ map.get
            }
            return sum;
        }
        int peek(String key) {
            return lists.get(key).get(0).n; //@ map.peek
        }
    }

    //: nodes.add nodes.sum proof
    static class Nodes {
        private class Node {
            Node next;
            int n;
            void bump() {
                n++; //@ nodes.add
            }
        }
        private Node head;
        private final Object lock = new Object();
        void add() {
            synchronized (lock) {
                Node node = new Node();
                node.next = head;
                head = node;
                head.bump();
                if (node.next != null) {
                    node.next.bump();
                }
            }
        }
        int sum() {
            synchronized (lock) {
                int sum = 0;
                for (Node node = head; node != null; node = node.next) {
                    sum += node.n; //@ nodes.sum
                }
                return sum;
            }
        }
    }

    //: inner.a inner.b proof
    static class Outer {
        final List<Inner> inners = new ArrayList<>();
        class Inner {
            int n;
            void a() {
                synchronized (Outer.this) {
                    n++; //@ inner.a
                }
            }
        }
        synchronized void add() {
            inners.add(new Inner());
        }
        void all() {
            Inner inner;
            synchronized (this) {
                inner = inners.get(0);
            }
            inner.a();
        }
        synchronized int b() {
            return inners.get(0).n; //@ inner.b
        }
    }

    // What two owners exchange has no owner.
    //: swap.a swap.a none
    static class Swapping {
        List<Item> items = new ArrayList<>();
        synchronized void add() {
            items.add(new Item());
        }
        synchronized Item first() {
            return items.get(0);
        }
        void take(Swapping other) {
            Item item = other.first();
            synchronized (this) {
                items.add(item);
            }
        }
        synchronized void a() {
            items.get(items.size() - 1).n++; //@ swap.a
        }
    }

    // The lock of another owner is not that of the own one.
    //: wrong.a wrong.a none
    static class WrongLock {
        final List<Item> items = new ArrayList<>();
        void add(WrongLock other) {
            synchronized (other) {
                items.add(new Item());
                items.get(0).n++; //@ wrong.a
            }
        }
    }

    // A copy shares what the original has.
    //: clone.a clone.a none
    static class Copied implements Cloneable {
        Item item = new Item();
        synchronized void a() {
            item.n++; //@ clone.a
        }
        Copied copy() {
            try {
                return (Copied) clone();
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException();
            }
        }
    }

    // Unless it gets its own.
    //: deep.a deep.a proof
    static class DeepCopied implements Cloneable {
        int[] counts = new int[2];
        synchronized void a() {
            counts[0]++; //@ deep.a
        }
        synchronized DeepCopied copy() {
            try {
                DeepCopied copy = (DeepCopied) clone();
                copy.counts = new int[2];
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException();
            }
        }
    }

    // What was given in from outside may be anybody's.
    //: given.a given.a none
    static class Given {
        final List<Item> items = new ArrayList<>();
        synchronized void add(Item item) {
            items.add(item);
        }
        synchronized void a() {
            items.get(0).n++; //@ given.a
        }
    }

    // What static fields keep may come back to another owner.
    //: stash.a stash.a none
    static class Stashing {
        static Item stash = new Item();
        Item item;
        synchronized void put() {
            item = new Item();
            stash = item;
        }
        synchronized void a() {
            item = stash;
            item.n++; //@ stash.a
        }
    }

    // A task works for its owner, but holds nothing when it starts.
    //: task.a task.b proof
    //: task.a task.c none
    static class Tasks {
        final List<Item> items = new ArrayList<>();
        synchronized void add() {
            items.add(new Item());
        }
        void start() {
            new Thread(() -> {
                synchronized (this) {
                    items.get(0).n++; //@ task.a
                }
            }).start();
            new Thread(() -> items.get(0).n++).start(); //@ task.c
        }
        synchronized int b() {
            return items.get(0).n; //@ task.b
        }
    }

    static void twice(Runnable task) {
        new Thread(task).start();
        new Thread(task).start();
    }

    public static void main(String[] args) {
        for (int i = 0; i < rounds; i++) {
            ByMap map = new ByMap();
            map.put("a");
            twice(() -> map.put("a"));
            twice(() -> map.get("a"));
            twice(() -> map.peek("a"));
            Nodes nodes = new Nodes();
            twice(() -> nodes.add());
            twice(() -> nodes.sum());
            Outer outer = new Outer();
            outer.add();
            twice(() -> outer.all());
            twice(() -> outer.b());
            Swapping one = new Swapping(), two = new Swapping();
            one.add();
            two.add();
            two.take(one);
            twice(() -> one.a());
            twice(() -> two.a());
            twice(() -> two.take(one));
            WrongLock wrong = new WrongLock(), other = new WrongLock(), third = new WrongLock();
            twice(() -> wrong.add(other));
            twice(() -> wrong.add(third));
            Copied original = new Copied(), copy = original.copy();
            twice(() -> original.a());
            twice(() -> copy.a());
            DeepCopied deep = new DeepCopied(), deepCopy = deep.copy();
            twice(() -> deep.a());
            twice(() -> deepCopy.a());
            Item item = new Item();
            Given given = new Given(), givenToo = new Given();
            given.add(item);
            givenToo.add(item);
            twice(() -> given.a());
            twice(() -> givenToo.a());
            Stashing stashing = new Stashing(), stashingToo = new Stashing();
            twice(() -> stashing.put());
            twice(() -> stashing.a());
            twice(() -> stashingToo.a());
            Tasks tasks = new Tasks();
            tasks.add();
            tasks.start();
            twice(() -> tasks.b());
        }
    }
}
