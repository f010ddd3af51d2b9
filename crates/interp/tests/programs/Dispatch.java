/** Virtual, interface, special and static calls; overriding across packages is left to the hierarchy tests. */
public class Dispatch {
    static abstract class Node {
        abstract int eval();
        int twice() { return 2 * eval(); }
        String name() { return "node"; }
        static String kind() { return "static node"; }
        private int secret() { return 1; }
        int reveal() { return secret(); }
    }

    static class Leaf extends Node {
        final int value;
        Leaf(int value) { this.value = value; }
        int eval() { return value; }
        String name() { return "leaf of " + super.name(); }
        static String kind() { return "static leaf"; }
        private int secret() { return 2; }
        int own() { return secret() + reveal(); }
    }

    static class Sum extends Node {
        final Node[] parts;
        Sum(Node... parts) { this.parts = parts; }
        int eval() {
            int sum = 0;
            for (Node part : parts) sum += part.eval();
            return sum;
        }
    }

    static class Twice extends Leaf {
        Twice(int value) { super(value); }
        @Override int eval() { return super.eval() * 2 - (super.name().length() & 1); }
        @Override int twice() { return 0; }
    }

    interface Greeter {
        String greet(String who);
    }

    static class Polite implements Greeter {
        public String greet(String who) { return "Dear " + who; }
    }

    static class Loud extends Polite {
        public String greet(String who) { return super.greet(who).toUpperCase() + "!"; }
    }

    static String overload(Object o) { return "object"; }
    static String overload(String s) { return "string"; }
    static String overload(Integer i) { return "integer"; }
    static String overload(int i) { return "int"; }
    static String overload(long l) { return "long"; }
    static String overload(Object... os) { return "varargs " + os.length; }

    static class Constructor {
        String text = "before";
        Constructor() { init(); text += "+after"; }
        void init() { text += "+base"; }
    }

    static class Sub extends Constructor {
        String more = "more";
        void init() { text += "+sub " + more; }
    }

    public static void main(String[] args) {
        Node tree = new Sum(new Leaf(3), new Sum(new Leaf(4), new Twice(5)), new Sum());
        System.out.println(tree.eval() + " " + tree.twice() + " " + tree.name());
        Leaf leaf = new Leaf(9);
        System.out.println(leaf.name() + " " + leaf.own() + " " + Node.kind() + " " + Leaf.kind());
        Greeter[] greeters = {new Polite(), new Loud(), who -> "hey " + who};
        for (Greeter g : greeters) System.out.println(g.greet("Ada"));
        byte b = 1;
        Object o = "really a string";
        System.out.println(overload(b) + overload(1L) + overload("s") + overload(o) + overload('c') + overload() + overload(1, 2) + overload(2.0f));
        System.out.println(new Sub().text + " " + new Constructor().text);
        System.out.println(new Object() { int hidden = 7; int get() { return hidden * 6; } }.get());
        Object[] things = {1, "x", 2.0, 'c', new Leaf(1).name()};
        int total = 0;
        for (Object t : things) total += t.toString().length();
        System.out.println(total);
    }
}
