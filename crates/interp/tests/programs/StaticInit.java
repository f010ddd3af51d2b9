/** Order and laziness of class initialisation: superclasses, interfaces with defaults, cycles, failures. */
public class StaticInit {
    static String log(String what) {
        System.out.println("init " + what);
        return what;
    }

    static class Parent {
        static String name = log("Parent");
        static final int COMPILE_TIME = 42;
        static final Integer RUN_TIME = Integer.valueOf(43);
    }

    static class Child extends Parent {
        static { log("Child"); }
        static String own = "own";
    }

    interface WithDefault {
        String FIELD = log("WithDefault");
        default void hello() {}
    }

    interface WithoutDefault {
        String FIELD = log("WithoutDefault");
    }

    static class Implementor implements WithDefault, WithoutDefault {
        static { log("Implementor"); }
    }

    static class CycleA {
        static int a = CycleB.b + 1;
    }

    static class CycleB {
        static int b = CycleA.a + 10;
    }

    static class Failing {
        static int value = compute();

        static int compute() {
            throw new IllegalStateException("no value");
        }
    }

    static class Holder {
        static final Holder INSTANCE = new Holder();
        static int counter = 5;
        int seen = counter;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(Child.COMPILE_TIME);
        System.out.println(Child.name);
        System.out.println("then");
        System.out.println(Child.own);
        Child[] none = new Child[2];
        System.out.println(none.length);
        new Implementor().hello();
        System.out.println(((WithoutDefault) null).FIELD);
        System.out.println(CycleA.a + " " + CycleB.b);
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(Failing.value);
            } catch (ExceptionInInitializerError e) {
                System.out.println("first: " + e.getCause());
            } catch (NoClassDefFoundError e) {
                System.out.println("then: " + e.getMessage());
            }
        }
        System.out.println(Holder.INSTANCE.seen + " " + Holder.counter);
        System.out.println(Parent.RUN_TIME);
        Class<?> literal = Late.class;
        System.out.println(literal.getSimpleName());
        new Late();
    }

    static class Late {
        static { log("Late"); }
    }
}
