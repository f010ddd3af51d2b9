/** Own data structures: linked list, binary tree, open hashing, trie, ring buffer, union-find, all with inner nodes. */
public class DataStructures {
    static class Linked<T> {
        class Node { T item; Node next; }
        Node head;
        int size;
        void push(T item) { Node n = new Node(); n.item = item; n.next = head; head = n; size++; }
        void reverse() {
            Node previous = null;
            while (head != null) { Node next = head.next; head.next = previous; previous = head; head = next; }
            head = previous;
        }
        public String toString() {
            StringBuilder sb = new StringBuilder("(");
            for (Node n = head; n != null; n = n.next) sb.append(n.item).append(n.next == null ? "" : " ");
            return sb.append(")").toString();
        }
    }

    static class Tree {
        int key, height = 1;
        Tree left, right;
        Tree(int key) { this.key = key; }
        static int height(Tree t) { return t == null ? 0 : t.height; }
        Tree update() { height = 1 + Math.max(height(left), height(right)); return this; }
        Tree rotateRight() { Tree l = left; left = l.right; l.right = update(); return l.update(); }
        Tree rotateLeft() { Tree r = right; right = r.left; r.left = update(); return r.update(); }
        static Tree insert(Tree t, int key) {
            if (t == null) return new Tree(key);
            if (key < t.key) t.left = insert(t.left, key); else if (key > t.key) t.right = insert(t.right, key); else return t;
            t.update();
            int balance = height(t.left) - height(t.right);
            if (balance > 1) { if (key > t.left.key) t.left = t.left.rotateLeft(); return t.rotateRight(); }
            if (balance < -1) { if (key < t.right.key) t.right = t.right.rotateRight(); return t.rotateLeft(); }
            return t;
        }
        void walk(java.util.function.IntConsumer c) {
            if (left != null) left.walk(c);
            c.accept(key);
            if (right != null) right.walk(c);
        }
    }

    static class LongMap {
        long[] keys = new long[8], values = new long[8];
        boolean[] used = new boolean[8];
        int size;
        int slot(long key) {
            int i = (int) (key * 0x9E3779B97F4A7C15L >>> 32) & keys.length - 1;
            while (used[i] && keys[i] != key) i = i + 1 & keys.length - 1;
            return i;
        }
        void put(long key, long value) {
            if (size * 2 >= keys.length) {
                LongMap bigger = new LongMap();
                bigger.keys = new long[keys.length * 2];
                bigger.values = new long[keys.length * 2];
                bigger.used = new boolean[keys.length * 2];
                for (int i = 0; i < keys.length; i++) if (used[i]) bigger.put(keys[i], values[i]);
                keys = bigger.keys; values = bigger.values; used = bigger.used;
            }
            int i = slot(key);
            if (!used[i]) { used[i] = true; keys[i] = key; size++; }
            values[i] = value;
        }
        long get(long key, long otherwise) { int i = slot(key); return used[i] ? values[i] : otherwise; }
    }

    static class Trie {
        final Trie[] next = new Trie[26];
        boolean end;
        void add(String word) {
            Trie t = this;
            for (char c : word.toCharArray()) t = t.next[c - 'a'] == null ? t.next[c - 'a'] = new Trie() : t.next[c - 'a'];
            t.end = true;
        }
        int count() {
            int n = end ? 1 : 0;
            for (Trie t : next) if (t != null) n += t.count();
            return n;
        }
    }

    static int find(int[] parent, int i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    }

    public static void main(String[] args) {
        Linked<Object> list = new Linked<>();
        for (int i = 0; i < 6; i++) list.push(i % 2 == 0 ? Integer.valueOf(i) : "s" + i);
        System.out.print(list + " ");
        list.reverse();
        System.out.println(list + " " + list.size);
        Tree tree = null;
        for (int i = 0; i < 100; i++) tree = Tree.insert(tree, i * 37 % 101);
        int[] state = {0, -1};
        tree.walk(k -> { if (k > state[1]) state[0]++; state[1] = k; });
        System.out.println(tree.key + " " + tree.height + " " + state[0] + " " + state[1]);
        LongMap map = new LongMap();
        for (long k = -50; k < 50; k++) map.put(k * k * k, k);
        System.out.println(map.size + " " + map.get(-27, 99) + " " + map.get(28, 99) + " " + map.keys.length);
        Trie trie = new Trie();
        for (String w : "she sells sea shells by the sea shore the shells she sells".split(" ")) trie.add(w);
        System.out.println(trie.count());
        int[] parent = new int[20];
        for (int i = 0; i < 20; i++) parent[i] = i;
        for (int i = 0; i < 20; i++) parent[find(parent, i)] = find(parent, i * 3 % 20);
        int roots = 0;
        for (int i = 0; i < 20; i++) if (find(parent, i) == i) roots++;
        System.out.println(roots);
    }
}
