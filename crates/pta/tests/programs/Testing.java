// A test narrows what a variable holds where it holds, also without a cast.
public class Testing {
    static class A {}
    static class B extends A {}
    static class C {}

    static Object any(int n) {
        if (n == 0) return new A();
        if (n == 1) return new B();
        return new C();
    }

    static Object whenA;
    static Object whenB;
    static Object whenNotA;
    static Object whenB2;
    static Object whenC;
    static Object inLoop;

    static void narrowed(Object any) {
        if (any instanceof A) {
            whenA = any;
            if (any instanceof B) {
                whenB = any;
            }
        } else {
            whenNotA = any;
        }
        if (any instanceof A && any instanceof B) {
            whenB2 = any;
        }
        if (!(any instanceof C)) return;
        whenC = any;
    }

    public static void main(String[] arguments) {
        narrowed(any(arguments.length));
        Object next = new A();
        for (int n = 0; n < 3; n++) {
            if (next instanceof C) {
                inLoop = next;
            }
            next = any(n);
        }
    }
}
