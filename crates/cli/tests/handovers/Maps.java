import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Stack;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicInteger;

/** Hand-over through concurrent and synchronized collections. */
final class Maps {
    /** Each box goes through the map under a key of its own. */
    private static void byKey(int n, Map<Integer, Suite.Box> map) throws Exception {
        int[] keys = {0, 0};
        Suite.stream(n, box -> map.put(keys[0]++, box), () -> {
            int key = keys[1]++;
            return Suite.poll(() -> map.remove(key));
        });
        Suite.pingPong(n, box -> map.put(-1, box), () -> Suite.poll(() -> map.remove(-1)), box -> map.put(-2, box), () -> Suite.poll(() -> map.remove(-2)));
    }

    @Suite.Safe
    static void concurrentHashMap(int n) throws Exception {
        byKey(n, new ConcurrentHashMap<>());
    }

    @Suite.Safe
    static void concurrentHashMapGet(int n) throws Exception {
        ConcurrentMap<Integer, Suite.Box> map = new ConcurrentHashMap<>();
        Suite.pair(n, i -> {
            Suite.Box box = new Suite.Box();
            box.value = i;
            map.putIfAbsent(i, box);
        }, i -> {
            Suite.Box box = Suite.poll(() -> map.get(i));
            Suite.check(box.value == i);
            box.value++;
        });
    }

    @Suite.Safe
    static void concurrentHashMapCompute(int n) throws Exception {
        ConcurrentMap<String, Suite.Box> map = new ConcurrentHashMap<>();
        Suite.Step step = i -> map.compute("key" + (i & 7), (key, old) -> {
            Suite.Box box = old == null ? new Suite.Box() : old;
            box.value++;
            box.cells[1]++;
            return box;
        });
        Suite.pair(n, step, step);
        Suite.check(map.values().stream().mapToInt(box -> box.value).sum() == 2 * n);
    }

    @Suite.Safe
    static void concurrentHashMapMerge(int n) throws Exception {
        ConcurrentMap<String, Suite.Box> map = new ConcurrentHashMap<>();
        Suite.Step step = i -> map.merge("k" + (i & 3), new Suite.Box(), (old, fresh) -> {
            old.value++;
            return old;
        });
        Suite.pair(n, step, step);
    }

    @Suite.Safe
    static void concurrentHashMapIfAbsent(int n) throws Exception {
        ConcurrentMap<Integer, Suite.Box> map = new ConcurrentHashMap<>();
        Suite.Step step = i -> {
            Suite.Box box = map.computeIfAbsent(i, key -> {
                Suite.Box made = new Suite.Box();
                made.value = key;
                return made;
            });
            Suite.check(box.value == i);
        };
        Suite.pair(n, step, step);
    }

    @Suite.Safe
    static void concurrentHashMapIterate(int n) throws Exception {
        ConcurrentHashMap<Integer, Suite.Box> map = new ConcurrentHashMap<>();
        int[] sum = {0};
        Suite.pair(Math.min(n, 2000), i -> {
            Suite.Box box = new Suite.Box();
            box.value = i;
            map.put(i % 50, box);
        }, i -> {
            for (Suite.Box box : map.values()) sum[0] += box.value;
            if (i % 100 == 0) sum[0] += map.reduceValuesToInt(1, box -> box.value, 0, Integer::sum);
        });
    }

    /** All keys in one bin, which becomes a tree. */
    @Suite.Safe
    static void concurrentHashMapTree(int n) throws Exception {
        final class Key implements Comparable<Key> {
            final int number;

            Key(int number) {
                this.number = number;
            }

            @Override
            public int hashCode() {
                return 1;
            }

            @Override
            public boolean equals(Object other) {
                return other instanceof Key key && key.number == number;
            }

            @Override
            public int compareTo(Key other) {
                return Integer.compare(number, other.number);
            }
        }
        ConcurrentMap<Key, Suite.Box> map = new ConcurrentHashMap<>();
        Suite.pair(Math.min(n, 3000), i -> {
            Suite.Box box = new Suite.Box();
            box.value = i;
            map.put(new Key(i), box);
        }, i -> {
            Suite.Box box = Suite.poll(() -> map.get(new Key(i)));
            Suite.check(box.value == i);
            box.value++;
            if (i % 3 == 0) map.remove(new Key(i));
        });
    }

    @Suite.Safe
    static void concurrentKeySet(int n) throws Exception {
        Set<Integer> published = ConcurrentHashMap.newKeySet();
        Suite.Box[] boxes = new Suite.Box[n];
        Suite.pair(n, i -> {
            boxes[i] = new Suite.Box();
            boxes[i].value = i;
            published.add(i);
        }, i -> {
            Suite.until(() -> published.contains(i));
            Suite.check(boxes[i].value == i);
        });
    }

    @Suite.Safe
    static void concurrentSkipListMap(int n) throws Exception {
        byKey(n, new ConcurrentSkipListMap<>());
    }

    @Suite.Safe
    static void concurrentSkipListNavigate(int n) throws Exception {
        ConcurrentNavigableMap<Integer, Suite.Box> map = new ConcurrentSkipListMap<>();
        int[] next = {0};
        Suite.stream(n, box -> map.put(next[0]++, box), () -> Suite.poll(() -> {
            Map.Entry<Integer, Suite.Box> first = map.pollFirstEntry();
            return first == null ? null : first.getValue();
        }));
    }

    @Suite.Safe
    static void concurrentSkipListSet(int n) throws Exception {
        ConcurrentSkipListSet<Integer> published = new ConcurrentSkipListSet<>();
        Suite.Box[] boxes = new Suite.Box[n];
        Suite.pair(n, i -> {
            boxes[i] = new Suite.Box();
            boxes[i].value = i;
            published.add(i);
        }, i -> {
            Suite.until(() -> published.contains(i));
            Suite.check(boxes[i].value == i);
            boxes[i].value = 0;
        });
    }

    @Suite.Safe
    static void copyOnWriteArrayList(int n) throws Exception {
        CopyOnWriteArrayList<Suite.Box> list = new CopyOnWriteArrayList<>();
        Suite.pair(Math.min(n, 2000), i -> {
            Suite.Box box = new Suite.Box();
            box.value = i;
            list.add(box);
        }, i -> {
            Suite.until(() -> list.size() > i);
            Suite.Box box = list.get(i);
            Suite.check(box.value == i);
            box.value++;
        });
    }

    @Suite.Safe
    static void copyOnWriteArraySet(int n) throws Exception {
        CopyOnWriteArraySet<Suite.Box> set = new CopyOnWriteArraySet<>();
        Suite.pair(Math.min(n, 1000), i -> {
            Suite.Box box = new Suite.Box();
            box.value = 1;
            set.add(box);
        }, i -> {
            for (Suite.Box box : set) Suite.check(box.value == 1);
        });
    }

    @Suite.Safe
    static void synchronizedMap(int n) throws Exception {
        byKey(n, Collections.synchronizedMap(new HashMap<>()));
    }

    @Suite.Safe
    static void synchronizedMapIterate(int n) throws Exception {
        Map<Integer, Suite.Box> map = Collections.synchronizedMap(new LinkedHashMap<>());
        Suite.pair(Math.min(n, 1000), i -> {
            Suite.Box box = new Suite.Box();
            box.value = 2;
            map.put(i & 63, box);
        }, i -> {
            synchronized (map) {
                for (Suite.Box box : map.values()) Suite.check(box.value == 2);
            }
        });
    }

    @Suite.Safe
    static void synchronizedList(int n) throws Exception {
        List<Suite.Box> list = Collections.synchronizedList(new ArrayList<>());
        Suite.stream(n, list::add, () -> Suite.poll(() -> list.isEmpty() ? null : list.remove(list.size() - 1)));
    }

    @Suite.Safe
    static void vectorAndStack(int n) throws Exception {
        Vector<Suite.Box> vector = new Vector<>();
        Suite.stream(n, vector::addElement, () -> Suite.poll(() -> vector.isEmpty() ? null : vector.remove(vector.size() - 1)));
        Stack<Suite.Box> stack = new Stack<>();
        Suite.stream(n, stack::push, () -> Suite.poll(() -> stack.empty() ? null : stack.pop()));
    }

    @Suite.Safe
    static void hashtable(int n) throws Exception {
        Hashtable<Integer, Suite.Box> table = new Hashtable<>();
        byKey(n, table);
        Enumeration<Suite.Box> left = table.elements();
        Suite.check(!left.hasMoreElements());
    }

    @Suite.Safe
    static void stringBuffer(int n) throws Exception {
        StringBuffer published = new StringBuffer();
        Suite.Box[] boxes = new Suite.Box[n];
        Suite.pair(n, i -> {
            boxes[i] = new Suite.Box();
            boxes[i].value = i;
            published.append('x');
        }, i -> {
            Suite.until(() -> published.length() > i);
            Suite.check(boxes[i].value == i);
        });
    }

    /** Views and iterators of a map, under the lock of the map; and a wrapper that many read and nobody changes. */
    @Suite.Safe
    static void viewsUnderLock(int n) throws Exception {
        Map<Integer, Suite.Box> map = new HashMap<>();
        Map<Integer, Suite.Box> wrapped = Collections.synchronizedMap(map);
        List<Integer> constants = Collections.unmodifiableList(new ArrayList<>(List.of(1, 2, 3)));
        Suite.pair(n, i -> {
            Suite.Box box = new Suite.Box();
            box.value = constants.get(i % 3);
            wrapped.put(i % 8, box);
        }, i -> {
            int sum = 0;
            synchronized (wrapped) {
                for (Suite.Box box : wrapped.values()) sum += box.value;
                for (Map.Entry<Integer, Suite.Box> entry : Collections.unmodifiableMap(map).entrySet()) sum += entry.getKey();
            }
            for (int constant : constants.subList(1, 3)) sum += constant;
            Suite.check(sum >= 5 && constants.contains(2));
        });
    }

    /** Each thread copies, sorts and compares what the other has left, in turns. */
    @Suite.Safe
    static void bulkInTurns(int n) throws Exception {
        int[] cells = new int[16];
        AtomicInteger turn = new AtomicInteger();
        Suite.turns(n, new Suite.IntTurn() {
            @Override
            public void await(int number) {
                Suite.until(() -> turn.get() == number);
                int[] copy = Arrays.copyOf(cells, 20);
                Arrays.fill(cells, number & 7, 16, number);
                Suite.check(Arrays.equals(cells, cells.clone()) && copy.length == 20);
            }

            @Override
            public void pass(int number) {
                Arrays.sort(cells);
                turn.set(number);
            }
        });
    }
}
