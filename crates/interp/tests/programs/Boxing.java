import java.util.*;

/** Boxing and unboxing: caches, identity, null unboxing, compound assignment, ternaries, wrappers' methods. */
public class Boxing {
    static Integer cached(int i) { return i; }

    static String show(Object o) { return o.getClass().getSimpleName() + ":" + o; }

    public static void main(String[] args) {
        System.out.println((cached(127) == cached(127)) + " " + cached(128).equals(cached(128)) + " " + (cached(-128) == cached(-128)));
        Long a = 127L, b = 127L;
        Character c = 'c', d = 'c';
        Boolean t = true, u = Boolean.valueOf("TRUE");
        Byte x = 1, y = 1;
        System.out.println((a == b) + " " + (c == d) + " " + (t == u) + " " + (x == y) + " " + a.equals(127) + " " + new ArrayList<>(List.of(1)).contains(1));
        Integer i = 5;
        i++;
        i += 10;
        ++i;
        int plain = i-- * 2;
        System.out.println(i + " " + plain + " " + (i > 3 ? i : "text") + " " + (true ? 1 : 2.0) + " " + (Object) (true ? 1 : 'a'));
        Integer none = null;
        try {
            int bad = none;
        } catch (NullPointerException e) {
            System.out.println("null unboxed");
        }
        System.out.println(show(1) + show(1L) + show(1f) + show(1d) + show('1') + show((short) 1) + show((byte) 1) + show(true));
        Map<Character, Integer> counts = new TreeMap<>();
        for (char ch : "mississippi".toCharArray()) counts.merge(ch, 1, Integer::sum);
        System.out.println(counts);
        long total = 0;
        List<Integer> list = new ArrayList<>();
        for (int k = 0; k < 10; k++) list.add(k * k);
        for (int v : list) total += v;
        list.remove(3);
        list.remove(Integer.valueOf(81));
        System.out.println(total + " " + list);
        System.out.println(Integer.parseInt("-17") + Integer.valueOf("ff", 16) + " " + Integer.toString(255, 2) + " " + Integer.toOctalString(8) + " " + Integer.toUnsignedString(-1));
        System.out.println(Integer.compare(3, 5) + " " + Integer.MAX_VALUE + " " + Character.isDigit('7') + Character.isLetter('\u00e9') + Character.toUpperCase('\u00e9') + Character.getNumericValue('9'));
        System.out.println(Double.valueOf(2.5).intValue() + " " + Long.valueOf(300).byteValue() + " " + Float.valueOf(1.5f).doubleValue() + " " + Short.parseShort("12"));
        System.out.println(Objects.hash(1, "two", 3.0) + " " + Boolean.hashCode(true) + " " + Double.hashCode(1.5) + " " + Long.hashCode(1L << 33) + " " + Character.hashCode('a'));
        try {
            Integer.parseInt("12x");
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
        Number[] numbers = {1, 2L, 3.5f, 4.5};
        double sum = 0;
        for (Number n : numbers) sum += n.doubleValue() + n.intValue();
        System.out.println(sum);
    }
}
