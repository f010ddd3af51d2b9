import java.util.*;

/** Object's own methods: clone shallow and deep, equals and hashCode contracts, getClass, default toString. */
public class ObjectMethods {
    static class Shelf implements Cloneable {
        int size = 3;
        int[] books = {1, 2, 3};
        List<String> labels = new ArrayList<>(List.of("x"));

        @Override protected Shelf clone() throws CloneNotSupportedException {
            Shelf copy = (Shelf) super.clone();
            copy.books = books.clone();
            return copy;
        }
    }

    static class Plain {
        Object tryClone() throws CloneNotSupportedException { return super.clone(); }
    }

    static class Key {
        final String a;
        final int b;
        Key(String a, int b) { this.a = a; this.b = b; }
        @Override public boolean equals(Object o) {
            if (this == o) return true;
            if (o == null || getClass() != o.getClass()) return false;
            Key k = (Key) o;
            return b == k.b && a.equals(k.a);
        }
        @Override public int hashCode() { return 31 * a.hashCode() + b; }
    }

    static class SubKey extends Key {
        SubKey(String a, int b) { super(a, b); }
    }

    public static void main(String[] args) throws Exception {
        Shelf s = new Shelf(), c = s.clone();
        c.size = 9;
        c.books[0] = 100;
        c.labels.add("y");
        System.out.println(s.size + " " + s.books[0] + " " + s.labels + " " + (s.getClass() == c.getClass()));
        try {
            new Plain().tryClone();
        } catch (CloneNotSupportedException e) {
            System.out.println(e.getMessage());
        }
        int[][] deep = {{1}, {2}};
        int[][] shallow = deep.clone();
        shallow[0][0] = 7;
        shallow[1] = null;
        System.out.println(deep[0][0] + " " + (deep[1] != null));
        System.out.println(new Key("a", 1).equals(new Key("a", 1)) + " " + new Key("a", 1).equals(new SubKey("a", 1)) + " " + new Key("a", 1).hashCode());
        Object o = new Object();
        System.out.println(o.toString().startsWith("java.lang.Object@") + " " + (o.hashCode() == System.identityHashCode(o)) + " " + o.equals(o) + " " + o.equals(new Object()));
        Map<Object, String> byKey = new HashMap<>();
        byKey.put(new Key("k", 2), "found");
        byKey.put(o, "object");
        System.out.println(byKey.get(new Key("k", 2)) + " " + byKey.get(o) + " " + byKey.get(new Object()));
        System.out.println(new int[0].getClass() + " " + Map.Entry.class.getName() + " " + int.class + " " + String[].class.getSimpleName() + " " + new Key("", 0).getClass().getSuperclass().getName());
        System.out.println(Integer.class.isInstance(5) + " " + Number.class.isAssignableFrom(Integer.class) + " " + Runnable.class.isInterface() + " " + String.class.cast("cast") + " " + int[][].class.getComponentType());
        System.out.println(void.class + " " + Thread.State.class.isEnum() + " " + new Object() {}.getClass().isAnonymousClass() + " " + Key.class.getPackageName().isEmpty());
        Object array = java.lang.reflect.Array.newInstance(String.class, 2);
        System.out.println(array.getClass().getName() + java.lang.reflect.Array.getLength(array));
    }
}
