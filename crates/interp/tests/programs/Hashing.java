import java.util.*;

/** Hash codes that the specification fixes, so that iteration order of hash tables is the same everywhere. */
public class Hashing {
    public static void main(String[] args) {
        System.out.println("hello".hashCode() + " " + List.of(1, 2, 3).hashCode() + " " + Arrays.hashCode(new long[]{1, 1L << 40}) + " " + Map.of("a", 1).hashCode() + " " + Set.of(5).hashCode());
        System.out.println(Double.valueOf(0.1).hashCode() + " " + Float.valueOf(0.1f).hashCode() + " " + Boolean.FALSE.hashCode() + " " + Long.valueOf(-1).hashCode() + " " + Character.valueOf('z').hashCode());
        System.out.println(Objects.hash() + " " + Objects.hash((Object) null) + " " + Arrays.deepHashCode(new Object[]{new int[]{1, 2}, "x"}) + " " + Optional.of("v").hashCode());
        HashSet<Object> set = new HashSet<>();
        for (int i = 0; i < 30; i++) {
            set.add(i * 1001);
            set.add("k" + i);
            set.add((long) i << 33);
            set.add(i / 4.0);
        }
        System.out.println(set);
        Map<Character, List<String>> groups = new HashMap<>();
        for (String w : "zebra apple mango zoo ant moon aardvark".split(" ")) groups.computeIfAbsent(w.charAt(0), k -> new ArrayList<>()).add(w);
        for (Map.Entry<Character, List<String>> e : groups.entrySet()) System.out.println(e.getKey() + "=" + e.getValue());
        Hashtable<String, Integer> old = new Hashtable<>();
        for (String s : "one two three four five six".split(" ")) old.put(s, s.length());
        StringBuilder sb = new StringBuilder();
        for (Enumeration<String> keys = old.keys(); keys.hasMoreElements(); ) sb.append(keys.nextElement()).append(' ');
        System.out.println(sb + old.toString());
        Properties p = new Properties();
        p.setProperty("key", "value");
        System.out.println(p.getProperty("key") + p.getProperty("none", "default"));
        Object[] trees = new Object[50];
        Set<Object> wide = new TreeSet<>(Comparator.comparing(Object::toString));
        for (int i = 0; i < trees.length; i++) wide.add(trees[i] = i % 3 == 0 ? (Object) ("x" + i) : Integer.valueOf(i));
        System.out.println(wide.size() + " " + wide.iterator().next());
    }
}
