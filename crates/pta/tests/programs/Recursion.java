// Recursive and mutually recursive methods, linked structures, cycles of objects and of variables.
public class Recursion {
    static class Node {
        Node next;
        Object load;
        Node(Object load, Node next) { this.load = load; this.next = next; }
        Node last() { return next == null ? this : next.last(); }
        Node reversed(Node onto) {
            Node turned = new Node(load, onto);
            return next == null ? turned : next.reversed(turned);
        }
    }

    static class Tree {
        Tree left, right;
        Object value;
        Tree insert(Object value) {
            if (this.value == null) { this.value = value; return this; }
            if (left == null) left = new Tree();
            Tree swapped = left;
            left = right;
            right = swapped;
            return left == null ? right.insert(value) : left.insert(value);
        }
    }

    static Object ping(int n, Object a, Object b) { return n == 0 ? a : pong(n - 1, b, a); }
    static Object pong(int n, Object a, Object b) { return n == 0 ? new Object[] { b } : ping(n - 1, a, b); }

    public static void main(String[] arguments) {
        Node list = null;
        for (int i = 0; i < 3; i++) list = new Node(new Integer(i), list);
        Node last = list.last();
        last.next = list;
        Node back = list.reversed(null);
        Object load = back.last().load;
        Tree tree = new Tree();
        Object where = tree.insert(load).insert(tree);
        Object x = ping(3, list, tree), y = where, z = null;
        while (arguments.length > 0) { Object swap = x; x = y; y = z; z = swap; }
        back.load = z;
    }
}
