import java.util.*;

/** HashMap (growth, collisions, trees), LinkedHashMap (access order), TreeMap (navigation), sets, BitSet, PriorityQueue. */
public class Maps {
    static final class Clash implements Comparable<Clash> {
        final int id;
        Clash(int id) { this.id = id; }
        @Override public int hashCode() { return 7; }
        @Override public boolean equals(Object o) { return o instanceof Clash c && c.id == id; }
        public int compareTo(Clash o) { return Integer.compare(id, o.id); }
        @Override public String toString() { return "c" + id; }
    }

    public static void main(String[] args) {
        Map<String, Integer> words = new HashMap<>();
        String text = "the quick brown fox jumps over the lazy dog and the cat sat on the mat with the hat";
        for (String w : text.split(" ")) words.put(w, words.getOrDefault(w, 0) + 1);
        System.out.println(words + " " + words.size());
        System.out.println(words.get("the") + " " + words.get("none") + " " + words.remove("fox") + " " + words.containsKey("fox") + words.containsValue(6));
        words.computeIfPresent("the", (k, v) -> v * 10);
        words.merge("dog", 5, Integer::sum);
        words.putIfAbsent("new", 1);
        words.entrySet().removeIf(e -> e.getKey().length() > 4);
        System.out.println(new TreeMap<>(words));
        Map<Clash, String> clashes = new HashMap<>();
        for (int i = 0; i < 40; i++) clashes.put(new Clash(i * 13 % 40), "v" + i);
        for (int i = 0; i < 40; i += 3) clashes.remove(new Clash(i));
        System.out.println(clashes.get(new Clash(10)) + " " + clashes.get(new Clash(9)) + " " + clashes.size() + new TreeSet<>(clashes.keySet()).first());
        Map<Integer, Integer> big = new HashMap<>();
        for (int i = 0; i < 500; i++) big.put(i * 31, i);
        long sum = 0;
        for (Map.Entry<Integer, Integer> e : big.entrySet()) sum += e.getKey() * 3L + e.getValue();
        System.out.println(big.size() + " " + sum + " " + big.get(31 * 77));
        LinkedHashMap<String, Integer> lru = new LinkedHashMap<>(8, 0.75f, true) {
            @Override protected boolean removeEldestEntry(Map.Entry<String, Integer> e) { return size() > 3; }
        };
        for (String k : "a b c a d e a f".split(" ")) lru.merge(k, 1, Integer::sum);
        System.out.println(lru);
        TreeMap<Integer, String> tree = new TreeMap<>();
        for (int i = 0; i < 30; i++) tree.put(i * 17 % 31, "t" + i);
        System.out.println(tree.firstKey() + " " + tree.lastEntry() + " " + tree.floorKey(0) + " " + tree.ceilingKey(14) + " " + tree.headMap(4) + tree.tailMap(29, true) + tree.subMap(10, 13));
        for (int i = 0; i < 30; i += 2) tree.remove(i);
        System.out.println(tree.descendingMap().keySet() + " " + tree.pollFirstEntry().getValue() + tree.higherKey(5));
        Set<String> linked = new LinkedHashSet<>(Arrays.asList(text.split(" ")));
        linked.retainAll(Set.of("the", "cat", "hat", "zebra"));
        System.out.println(linked + " " + linked.containsAll(List.of("cat", "hat")));
        BitSet primes = new BitSet(200);
        primes.set(2, 200);
        for (int i = 2; i * i < 200; i++) if (primes.get(i)) for (int j = i * i; j < 200; j += i) primes.clear(j);
        System.out.println(primes.cardinality() + " " + primes.nextSetBit(100) + " " + primes);
        PriorityQueue<int[]> queue = new PriorityQueue<>((p, q) -> p[0] != q[0] ? Integer.compare(p[0], q[0]) : q[1] - p[1]);
        for (int i = 0; i < 15; i++) queue.add(new int[]{i * 7 % 5, i});
        StringBuilder sb = new StringBuilder();
        while (!queue.isEmpty()) { int[] e = queue.poll(); sb.append(e[0]).append('/').append(e[1]).append(' '); }
        System.out.println(sb);
        IdentityHashMap<String, Integer> identity = new IdentityHashMap<>();
        String one = new String("k"), two = new String("k");
        identity.put(one, 1);
        identity.put(two, 2);
        System.out.println(identity.size() + " " + identity.get(one) + identity.get(two) + identity.get("k"));
        System.out.println(Map.of("only", 1) + " " + Map.entry("k", "v") + new AbstractMap.SimpleEntry<>("a", 1) + Collections.emptyMap());
        WeakHashMap<Object, String> weak = new WeakHashMap<>();
        Object key = new Object();
        weak.put(key, "alive");
        System.out.println(weak.get(key));
    }
}
