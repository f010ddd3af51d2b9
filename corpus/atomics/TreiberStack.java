// A stack of immutable links whose top is replaced by compare-and-set: a link is complete before it can be seen.
package atomics;

import java.util.concurrent.atomic.AtomicReference;

public class TreiberStack {
    static class Link {
        final int value;
        Link below;

        Link(int value) {
            this.value = value;
        }
    }

    private final AtomicReference<Link> top = new AtomicReference<>();

    void push(int value) {
        Link link = new Link(value);
        Link seen;
        do {
            seen = top.get();
            link.below = seen; //~ NORACE: not yet published
        } while (!top.compareAndSet(seen, link));
    }

    int pop() {
        Link seen;
        do {
            seen = top.get();
            if (seen == null) {
                return -1;
            }
        } while (!top.compareAndSet(seen, seen.below)); //~ NORACE: written before the link was published
        return seen.value;
    }

    public static void main(String[] args) throws Exception {
        TreiberStack stack = new TreiberStack();
        Thread a = new Thread(() -> stack.push(1));
        Thread b = new Thread(() -> stack.push(2));
        a.start();
        b.start();
        System.out.println(stack.pop() < 3);
        a.join();
        b.join();
    }
}
