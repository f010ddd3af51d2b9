// Listeners and visitors: property changes, observers, publish and subscribe, double dispatch, commands, chains of filters.

import java.beans.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

public class Events {
    interface Visitor<R> {
        R leaf(int value);
        R branch(Tree left, Tree right);
    }

    interface Tree {
        <R> R accept(Visitor<R> visitor);
    }

    static Tree leaf(int value) {
        return new Tree() {
            @Override public <R> R accept(Visitor<R> visitor) { return visitor.leaf(value); }
        };
    }

    static class Branch implements Tree {
        private final Tree left, right;
        Branch(Tree left, Tree right) { this.left = left; this.right = right; }
        @Override public <R> R accept(Visitor<R> visitor) { return visitor.branch(left, right); }
    }

    static class Depth implements Visitor<Integer> {
        @Override public Integer leaf(int value) { return 1; }
        @Override public Integer branch(Tree left, Tree right) { return 1 + Math.max(left.accept(this), right.accept(this)); }
    }

    static class Show implements Visitor<String> {
        @Override public String leaf(int value) { return String.valueOf(value); }
        @Override public String branch(Tree left, Tree right) { return "(" + left.accept(this) + " " + right.accept(this) + ")"; }
    }

    public static class Model {
        private final PropertyChangeSupport support = new PropertyChangeSupport(this);
        private String name = "old";
        public void addPropertyChangeListener(PropertyChangeListener listener) { support.addPropertyChangeListener(listener); }
        public String getName() { return name; }
        public void setName(String changed) {
            String before = name;
            name = changed;
            support.firePropertyChange("name", before, changed);
        }
    }

    static class Subscriber implements Flow.Subscriber<String> {
        private final CountDownLatch done = new CountDownLatch(1);
        private final List<String> seen = new ArrayList<>();
        private Flow.Subscription subscription;
        @Override public void onSubscribe(Flow.Subscription given) { subscription = given; given.request(1); }
        @Override public void onNext(String item) { seen.add(item); subscription.request(1); }
        @Override public void onError(Throwable thrown) { done.countDown(); }
        @Override public void onComplete() { done.countDown(); }
    }

    static class Chain {
        private final List<UnaryOperator<String>> filters = new ArrayList<>();
        Chain add(UnaryOperator<String> filter) { filters.add(filter); return this; }
        String run(String text) {
            for (UnaryOperator<String> filter : filters) text = filter.apply(text);
            return text;
        }
    }

    enum Command implements Consumer<Deque<Integer>> {
        PUSH { @Override public void accept(Deque<Integer> stack) { stack.push(stack.size()); } },
        ADD { @Override public void accept(Deque<Integer> stack) { stack.push(stack.pop() + stack.pop()); } }
    }

    public static void main(String[] args) throws Exception {
        Tree tree = new Branch(leaf(1), new Branch(leaf(2), leaf(3)));
        System.out.println(tree.accept(new Depth()) + tree.accept(new Show()));
        Model model = new Model();
        model.addPropertyChangeListener(event -> System.out.println(event.getPropertyName() + event.getOldValue() + event.getNewValue()));
        model.setName("new");
        for (PropertyDescriptor property : Introspector.getBeanInfo(Model.class, Object.class).getPropertyDescriptors())
            System.out.println(property.getName() + property.getReadMethod().invoke(model));
        Subscriber subscriber = new Subscriber();
        try (SubmissionPublisher<String> publisher = new SubmissionPublisher<>()) {
            publisher.subscribe(subscriber);
            publisher.submit("a");
            publisher.submit("b");
        }
        subscriber.done.await();
        System.out.println(subscriber.seen);
        System.out.println(new Chain().add(String::trim).add(text -> text + "!").run(" c "));
        Deque<Integer> stack = new ArrayDeque<>();
        for (String word : "PUSH PUSH PUSH ADD ADD".split(" ")) Command.valueOf(word).accept(stack);
        System.out.println(stack);
        Iterator<String> words = new Iterator<>() {
            private int at;
            @Override public boolean hasNext() { return at < 3; }
            @Override public String next() { return "w" + at++; }
        };
        words.forEachRemaining(System.out::print);
        System.out.println();
    }
}
