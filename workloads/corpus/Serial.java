// Serialization: default, custom read and write, Externalizable, readResolve, records, enums, non-serializable parents.

import java.io.*;
import java.util.*;

public class Serial {
    static class Parent {
        String tag;
        Parent() { tag = "from constructor"; }
    }

    static class Plain extends Parent implements Serializable {
        private static final long serialVersionUID = 1;
        int number = 4;
        transient String cache = "lost";
        Plain next;
    }

    static class Custom implements Serializable {
        private static final long serialVersionUID = 1;
        private transient List<String> items = new ArrayList<>();
        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(items.size());
            for (String item : items) out.writeUTF(item);
        }
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            items = new LinkedList<>();
            for (int n = in.readInt(); n > 0; n--) items.add(in.readUTF());
        }
    }

    static class Single implements Serializable {
        static final Single INSTANCE = new Single();
        private Object readResolve() { return INSTANCE; }
    }

    static class Replaced implements Serializable {
        private Object writeReplace() { return new Stand("stand-in"); }
    }

    record Stand(String text) implements Serializable {
        Stand { text = text.trim(); }
    }

    public static class Outside implements Externalizable {
        int value;
        public Outside() { }
        @Override public void writeExternal(ObjectOutput out) throws IOException { out.writeInt(value + 1); }
        @Override public void readExternal(ObjectInput in) throws IOException { value = in.readInt(); }
    }

    static class Keyed implements Serializable, Comparable<Keyed> {
        final int key;
        Keyed(int key) { this.key = key; }
        @Override public int hashCode() { return key; }
        @Override public boolean equals(Object other) { return other instanceof Keyed keyed && keyed.key == key; }
        @Override public int compareTo(Keyed other) { return Integer.compare(key, other.key); }
    }

    static class Checked implements Serializable, ObjectInputValidation {
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.registerValidation(this, 0);
            in.defaultReadObject();
        }
        @Override public void validateObject() { System.out.println("validated"); }
    }

    @SuppressWarnings("unchecked")
    static <T> T copy(T value) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        }
    }

    public static void main(String[] args) throws Exception {
        Plain plain = new Plain();
        plain.tag = "changed";
        plain.next = plain;
        Plain again = copy(plain);
        System.out.println(again.number + again.cache + again.tag + (again.next == again));
        Custom custom = new Custom();
        custom.items.add("i");
        System.out.println(copy(custom).items);
        System.out.println(copy(Single.INSTANCE) == Single.INSTANCE);
        System.out.println((Object) copy((Object) new Replaced()));
        Outside outside = new Outside();
        System.out.println(copy(outside).value);
        System.out.println(copy(new HashSet<>(List.of(new Keyed(1), new Keyed(2)))).contains(new Keyed(2)));
        System.out.println(copy(new TreeMap<>(Map.of(new Keyed(1), "one"))).firstKey().key);
        copy(new Checked());
        System.out.println(copy(Thread.State.NEW));
        try {
            copy(new Object());
        } catch (NotSerializableException expected) {
            System.out.println("not serializable");
        }
    }
}
