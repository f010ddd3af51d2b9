// Inner, local and anonymous classes and what they capture.
import java.util.Iterator;

public class Inner {
    private Object state = new Object();

    class Member {
        Object read() { return state; }
        class Deeper {
            Inner outermost() { return Inner.this; }
            Object write(Object value) { state = value; return Member.this; }
        }
    }

    Iterator<Object> iterator(Object last) {
        class Local implements Iterator<Object> {
            boolean done;
            public boolean hasNext() { return !done; }
            public Object next() { done = true; return done ? last : state; }
        }
        return new Local();
    }

    Runnable task(Object[] into) {
        return new Runnable() {
            Object own = new Integer(9);
            public void run() { into[0] = own; into[1] = this; into[2] = state; }
        };
    }

    enum Mode {
        ON { Object value() { return ON; } },
        OFF { Object value() { return new Object[0]; } };
        abstract Object value();
    }

    static Object sink;

    public static void main(String[] arguments) {
        Inner inner = new Inner();
        Inner.Member member = inner.new Member();
        sink = member.read();
        Inner.Member.Deeper deeper = member.new Deeper();
        sink = deeper.outermost();
        sink = deeper.write(arguments);
        Iterator<Object> iterator = inner.iterator(member);
        while (iterator.hasNext()) sink = iterator.next();
        Object[] into = new Object[3];
        inner.task(into).run();
        sink = into[1];
        for (Mode mode : new Mode[] { Mode.ON, Mode.OFF }) sink = mode.value();
    }
}
