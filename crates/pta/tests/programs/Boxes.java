// Two boxes with different contents, boxes in boxes, factories: what contexts distinguish.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

public class Boxes {
    static class Box {
        Object content;
        void put(Object object) { content = object; }
        Object get() { return content; }
    }

    static class Outer {
        Box inner = new Box();
        void put(Object object) { inner.put(object); }
        Object get() { return inner.get(); }
    }

    static class Apple {}
    static class Pear {}

    static Object directFirst, directSecond, nestedFirst, nestedSecond, madeFirst, madeSecond;
    static Object passedFirst, passedSecond, mappedFirst, mappedSecond, listedFirst, listedSecond;

    static Box filled(Object object) {
        Box box = new Box();
        box.put(object);
        return box;
    }

    static Object same(Object object) { return object; }

    static void direct() {
        Box first = new Box(), second = new Box();
        first.put(new Apple());
        second.put(new Pear());
        directFirst = first.get();
        directSecond = second.get();
    }

    static void nested() {
        Outer first = new Outer(), second = new Outer();
        first.put(new Apple());
        second.put(new Pear());
        nestedFirst = first.get();
        nestedSecond = second.get();
    }

    static void made() {
        Box first = filled(new Apple()), second = filled(new Pear());
        madeFirst = first.get();
        madeSecond = second.get();
    }

    static void passed() {
        passedFirst = same(new Apple());
        passedSecond = same(new Pear());
    }

    static void mapped() {
        Map<Object, Object> first = new HashMap<>(), second = new HashMap<>();
        first.put(new Apple(), "a");
        second.put(new Pear(), "p");
        Iterator<Object> a = first.keySet().iterator(), p = second.keySet().iterator();
        mappedFirst = a.next();
        mappedSecond = p.next();
    }

    static void listed() {
        List<Object> first = new ArrayList<>(), second = new ArrayList<>();
        first.add(new Apple());
        second.add(new Pear());
        listedFirst = first.get(0);
        listedSecond = second.get(0);
    }

    public static void main(String[] arguments) {
        direct();
        nested();
        made();
        passed();
        mapped();
        listed();
    }
}
