// The same stack, but a link that others can see is still changed: the top is atomic, the link's count is not.
package atomics;

import java.util.concurrent.atomic.AtomicReference;

public class TreiberStackEdited {
    static class Link {
        final String name;
        final Link below;
        int uses;

        Link(String name, Link below) {
            this.name = name;
            this.below = below;
        }
    }

    private final AtomicReference<Link> top = new AtomicReference<>();

    void use(String name) {
        Link seen = top.get();
        if (seen != null && seen.name.equals(name)) {
            seen.uses++; //~ RACE
            return;
        }
        top.compareAndSet(seen, new Link(name, seen));
    }

    public static void main(String[] args) throws Exception {
        TreiberStackEdited stack = new TreiberStackEdited();
        Thread a = new Thread(() -> stack.use("x"));
        Thread b = new Thread(() -> stack.use("x"));
        stack.use("x");
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
