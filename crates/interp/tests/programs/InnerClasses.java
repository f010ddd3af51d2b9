/** Inner, local, anonymous and static nested classes; captured variables; outer this; nest-mate private access. */
public class InnerClasses {
    private int state = 1;
    private static int shared = 100;

    private int bump(int by) {
        state += by;
        return state;
    }

    class Inner {
        private int state = 10;

        class Deep {
            int sum() { return state + InnerClasses.this.state + Inner.this.state + bump(1) + shared++; }
        }

        private Inner self() { return this; }
    }

    static class Nested {
        private String secret = "nested secret";
        private static String hidden() { return "hidden"; }
        private Nested() {}
    }

    interface Visitor { void visit(int value); }

    void each(int[] values, Visitor visitor) {
        for (int v : values) visitor.visit(v);
    }

    int sumWithLocal(final int[] values) {
        class Adder implements Visitor {
            int total;
            public void visit(int value) { total += value * values.length + state; }
        }
        Adder adder = new Adder();
        each(values, adder);
        return adder.total;
    }

    static class Base {
        private String name() { return "base private"; }
        String call() { return name(); }
    }

    static class Derived extends Base {
        private String name() { return "derived private"; }
        String own() { return name() + "," + super.name() + "," + ((Base) this).name(); }
    }

    public static void main(String[] args) {
        InnerClasses outer = new InnerClasses();
        Inner inner = outer.new Inner();
        Inner.Deep deep = inner.new Deep();
        System.out.println(deep.sum());
        System.out.println(deep.sum());
        inner.self().state = 50;
        System.out.println(inner.state + " " + outer.state + " " + shared);
        System.out.println(new Nested().secret + Nested.hidden());
        System.out.println(outer.sumWithLocal(new int[]{1, 2, 3}));
        StringBuilder out = new StringBuilder();
        int offset = args.length + 5;
        outer.each(new int[]{4, 5}, new Visitor() {
            { out.append("start "); }
            public void visit(int value) { out.append(value + offset + outer.state).append(' '); }
        });
        System.out.println(out);
        System.out.println(new Derived().own() + "," + new Derived().call());
        Inner other = new InnerClasses().new Inner() {
            @Override public String toString() { return "anonymous " + bumpAll(); }
            int bumpAll() { return outer.bump(1000); }
        };
        System.out.println(other);
        System.out.println(other.getClass().getName() + " " + deep.getClass().getName());
    }
}
