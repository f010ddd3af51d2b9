import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;

/** Unsynchronised library objects that two threads use; the race is on the container. */
final class RacyContainers {
    @Suite.Racy("*")
    static void hashMap(int n) throws Exception {
        Map<Integer, Integer> map = new HashMap<>();
        Suite.together(() -> map.put(1, 1), () -> map.get(1));
    }

    @Suite.Racy("*")
    static void treeMap(int n) throws Exception {
        Map<Integer, Integer> map = new TreeMap<>();
        Suite.together(() -> map.put(1, 1), () -> map.containsKey(1));
    }

    /** In access order a read changes the map. */
    @Suite.Racy("*")
    static void accessOrder(int n) throws Exception {
        Map<Integer, Integer> map = new LinkedHashMap<>(16, 0.75f, true);
        map.put(1, 1);
        map.put(2, 2);
        Suite.together(() -> map.put(3, 3), () -> map.get(2));
    }

    @Suite.Racy("*")
    static void arrayList(int n) throws Exception {
        List<Integer> list = new ArrayList<>();
        Suite.together(() -> list.add(1), () -> list.size());
    }

    @Suite.Racy("*")
    static void arrayDeque(int n) throws Exception {
        ArrayDeque<Integer> deque = new ArrayDeque<>();
        Suite.together(() -> deque.push(1), () -> deque.pollLast());
    }

    @Suite.Racy("*")
    static void stringBuilder(int n) throws Exception {
        StringBuilder builder = new StringBuilder();
        Suite.together(() -> builder.append('x'), () -> builder.length());
    }

    @Suite.Racy("*")
    static void bitSet(int n) throws Exception {
        BitSet bits = new BitSet();
        Suite.together(() -> bits.set(1), () -> bits.get(2));
    }

    @Suite.Racy("*")
    static void iterator(int n) throws Exception {
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        CyclicBarrier barrier = new CyclicBarrier(2);
        Suite.together(() -> {
            Suite.meet(barrier);
            list.set(0, 1);
        }, () -> {
            Suite.meet(barrier);
            Iterator<Integer> all = list.iterator();
            while (all.hasNext()) all.next();
        });
    }

    @Suite.Racy("*")
    static void keySetView(int n) throws Exception {
        Map<Integer, Integer> map = new HashMap<>();
        var keys = map.keySet();
        Suite.together(() -> map.put(1, 1), () -> keys.contains(1));
    }

    @Suite.Racy("*")
    static void unmodifiableView(int n) throws Exception {
        List<Integer> list = new ArrayList<>();
        List<Integer> view = Collections.unmodifiableList(list);
        Suite.together(() -> list.add(1), () -> view.size());
    }

    /** Walking through a synchronized list takes its lock, too. */
    @Suite.Racy("*")
    static void iterateSynchronized(int n) throws Exception {
        List<Integer> list = Collections.synchronizedList(new ArrayList<>(List.of(1, 2)));
        CyclicBarrier barrier = new CyclicBarrier(2);
        Suite.together(() -> {
            Suite.meet(barrier);
            list.add(3);
        }, () -> {
            Iterator<Integer> all = list.iterator();
            Suite.meet(barrier);
            all.hasNext();
        });
    }

    @Suite.Racy("[]")
    static void arrayCopy(int n) throws Exception {
        int[] from = new int[8];
        int[] to = new int[8];
        Suite.together(() -> System.arraycopy(from, 0, to, 0, 8), () -> from[3] = 1);
    }

    @Suite.Racy("[]")
    static void copyIntoArray(int n) throws Exception {
        int[] from = new int[8];
        int[] to = new int[8];
        Suite.together(() -> System.arraycopy(from, 0, to, 0, 8), () -> Suite.check(to[3] == 0));
    }

    @Suite.Racy("[]")
    static void cloneOfArray(int n) throws Exception {
        int[] cells = new int[8];
        Suite.together(() -> Suite.check(cells.clone().length == 8), () -> cells[2] = 1);
    }

    @Suite.Racy("[]")
    static void copyOfArray(int n) throws Exception {
        int[] cells = new int[8];
        Suite.together(() -> Suite.check(Arrays.copyOf(cells, 12).length == 12), () -> cells[7] = 1);
    }

    @Suite.Racy("[]")
    static void fillOfArray(int n) throws Exception {
        long[] cells = new long[8];
        Suite.together(() -> Arrays.fill(cells, 2, 6, 1L), () -> Suite.check(cells[3] >= 0));
    }

    @Suite.Racy("*")
    static void iteratorOfView(int n) throws Exception {
        List<Integer> list = new ArrayList<>(List.of(1, 2));
        CyclicBarrier barrier = new CyclicBarrier(2);
        Suite.together(() -> {
            Suite.meet(barrier);
            list.set(0, 2);
        }, () -> {
            Iterator<Integer> all = Collections.unmodifiableList(list).iterator();
            Suite.meet(barrier);
            all.next();
        });
    }

    @Suite.Racy("*")
    static void subList(int n) throws Exception {
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        List<Integer> part = list.subList(1, 3);
        Suite.together(() -> list.set(0, 1), () -> part.get(0));
    }
}
