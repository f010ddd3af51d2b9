// Virtual, interface, special and static calls, abstract classes, default methods, private methods, super calls.
public class Dispatching {
    interface Shape {
        Object kind();
        default Object both() { return kind(); }
        static Shape first() { return new Circle(); }
    }

    static abstract class Base implements Shape {
        Object made = make();
        abstract Object make();
        public Object kind() { return hidden(); }
        private Object hidden() { return made; }
    }

    static class Circle extends Base {
        Object make() { return new Circle.Mark(); }
        static class Mark {}
    }

    static class Square extends Base {
        Object make() { return new Square.Mark(); }
        public Object kind() { return super.kind(); }
        static class Mark {}
    }

    static final class Dot implements Shape {
        public Object kind() { return this; }
        public Object both() { return Shape.super.both(); }
    }

    static Shape choose(int n) {
        if (n == 0) return new Circle();
        if (n == 1) return new Square();
        return n == 2 ? new Dot() : Shape.first();
    }

    static Object result;

    public static void main(String[] arguments) {
        Shape shape = choose(arguments.length);
        result = shape.both();
        result = new Circle().kind();
        Base base = new Square();
        result = base.kind();
    }
}
