import java.util.ArrayList;
import java.util.List;

/** instanceof and checkcast over classes, interfaces, arrays, null; pattern variables. */
public class Casts {
    static class Animal {}

    static class Dog extends Animal implements Comparable<Dog> {
        public int compareTo(Dog other) { return 0; }
    }

    static final class Puppy extends Dog {}

    static String describe(Object o) {
        if (o instanceof Puppy) return "puppy";
        if (o instanceof Dog d && d.compareTo(d) == 0) return "dog";
        if (o instanceof Animal) return "animal";
        if (o instanceof Integer i) return "int " + (i + 1);
        if (o instanceof String s && !s.isEmpty()) return "string " + s.length();
        if (!(o instanceof int[] array)) return o == null ? "null" : "other";
        return "ints " + array.length;
    }

    @SuppressWarnings("unchecked")
    static <T> T unchecked(Object o) {
        return (T) o;
    }

    public static void main(String[] args) {
        Object[] all = {new Animal(), new Dog(), new Puppy(), 41, "four", "", new int[3], null, new long[1], 'c'};
        for (Object o : all) System.out.println(describe(o));
        try {
            Dog d = (Dog) all[0];
            System.out.println(d);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage().startsWith("class Casts$Animal cannot be cast to class Casts$Dog"));
        }
        Animal a = (Animal) all[2];
        Puppy p = (Puppy) a;
        Comparable<?> c = (Comparable<?>) a;
        System.out.println(p == c);
        String nothing = (String) null;
        System.out.println(nothing);
        List<String> polluted = new ArrayList<>();
        ((List<Object>) (List<?>) polluted).add(17);
        try {
            String s = polluted.get(0);
            System.out.println(s);
        } catch (ClassCastException e) {
            System.out.println("heap pollution found");
        }
        try {
            Integer i = Casts.<Integer>unchecked("text");
            System.out.println(i);
        } catch (ClassCastException e) {
            System.out.println("unchecked cast found");
        }
        Object boxed = 3;
        System.out.println((int) boxed + 1);
        try {
            System.out.println((long) boxed);
        } catch (ClassCastException e) {
            System.out.println("an Integer is no Long");
        }
        Runnable r = (Runnable & java.io.Serializable) () -> {};
        System.out.println(r instanceof java.io.Serializable);
    }
}
