import java.util.*;

/** ArrayList, LinkedList, ArrayDeque, iterators, sublists, sorting, fail-fast, immutable lists. */
public class Lists {
    public static void main(String[] args) {
        List<Integer> array = new ArrayList<>();
        List<Integer> linked = new LinkedList<>();
        for (int i = 0; i < 20; i++) {
            array.add(i * 7 % 20);
            linked.add(0, i);
        }
        System.out.println(array + " " + linked);
        Collections.sort(array);
        linked.sort(Comparator.comparing((Integer i) -> i % 3).thenComparing(Comparator.reverseOrder()));
        System.out.println(array.equals(linked) + " " + linked + " " + Collections.binarySearch(array, 13));
        array.removeIf(i -> i % 2 == 0);
        array.replaceAll(i -> i * i);
        System.out.println(array + " " + array.indexOf(49) + " " + array.contains(50) + " " + array.hashCode());
        ListIterator<Integer> it = linked.listIterator();
        while (it.hasNext()) {
            int v = it.next();
            if (v % 5 == 0) it.remove();
            else if (v % 5 == 1) it.set(-v);
            else if (v == 7) it.add(700);
        }
        while (it.hasPrevious()) System.out.print(it.previous() + " ");
        System.out.println();
        List<Integer> sub = array.subList(2, 5);
        sub.set(0, -1);
        sub.clear();
        System.out.println(array + " " + sub.size());
        try {
            for (Integer i : array) if (i > 100) array.remove(i);
        } catch (ConcurrentModificationException e) {
            System.out.println("fail fast");
        }
        try {
            List.of(1, 2).add(3);
        } catch (UnsupportedOperationException e) {
            System.out.println("immutable");
        }
        try {
            new ArrayList<>(List.of(1)).get(5);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        Deque<String> deque = new ArrayDeque<>();
        for (String s : "a b c d e f g h i j k l m n o p q r".split(" ")) {
            deque.addFirst(s);
            deque.addLast(s.toUpperCase());
            if (deque.size() > 9) deque.pollFirst();
        }
        System.out.println(deque + " " + deque.peekLast() + " " + deque.pop());
        Integer[] boxed = {5, 3, 9, 1};
        Arrays.sort(boxed, Collections.reverseOrder());
        System.out.println(Arrays.toString(boxed) + Arrays.asList(boxed) + Collections.max(Arrays.asList(boxed)) + Collections.nCopies(3, "x"));
        List<String> shuffled = new ArrayList<>(List.of("a", "b", "c", "d", "e", "f"));
        Collections.shuffle(shuffled, new Random(42));
        System.out.println(shuffled);
        Collections.reverse(shuffled);
        Collections.swap(shuffled, 0, 5);
        Collections.rotate(shuffled, 2);
        System.out.println(shuffled + " " + Collections.frequency(shuffled, "a") + Collections.unmodifiableList(shuffled).size());
        Vector<Integer> vector = new Vector<>(array);
        Stack<Integer> stack = new Stack<>();
        for (int v : vector) stack.push(v);
        System.out.println(stack.pop() + " " + stack.peek() + " " + stack.search(1) + " " + vector.elementAt(0));
        List<List<Integer>> triangle = new ArrayList<>();
        for (int n = 0; n < 6; n++) {
            List<Integer> row = new ArrayList<>();
            for (int k = 0; k <= n; k++) row.add(k == 0 || k == n ? 1 : triangle.get(n - 1).get(k - 1) + triangle.get(n - 1).get(k));
            triangle.add(row);
        }
        System.out.println(triangle);
        Object[] raw = array.toArray();
        Integer[] typed = array.toArray(new Integer[0]);
        System.out.println(raw.length == typed.length);
    }
}
