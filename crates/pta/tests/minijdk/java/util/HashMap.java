package java.util;

public class HashMap<K, V> implements Map<K, V> {
    private Node<K, V>[] table;
    private int size;

    public HashMap() {}

    private static class Node<K, V> implements Map.Entry<K, V> {
        final K key;
        V value;
        Node<K, V> next;
        Node(K key, V value, Node<K, V> next) {
            this.key = key;
            this.value = value;
            this.next = next;
        }
        public K getKey() { return key; }
        public V getValue() { return value; }
    }

    private Node<K, V> find(Object key) {
        if (table != null) {
            for (Node<K, V> node = table[key.hashCode() & 15]; node != null; node = node.next) {
                if (key.equals(node.key)) {
                    return node;
                }
            }
        }
        return null;
    }

    public V get(Object key) {
        Node<K, V> node = find(key);
        return node == null ? null : node.value;
    }

    @SuppressWarnings("unchecked")
    public V put(K key, V value) {
        Node<K, V> node = find(key);
        if (node != null) {
            V old = node.value;
            node.value = value;
            return old;
        }
        if (table == null) {
            table = (Node<K, V>[]) new Node[16];
        }
        int index = key.hashCode() & 15;
        table[index] = new Node<>(key, value, table[index]);
        size++;
        return null;
    }

    public Set<K> keySet() { return new Keys(); }
    public Collection<V> values() { return new Values(); }
    public Set<Map.Entry<K, V>> entrySet() { return new Entries(); }

    private abstract class Walk {
        private int bucket = -1;
        private Node<K, V> node;

        public boolean hasNext() {
            while (node == null && ++bucket < 16) {
                node = table[bucket];
            }
            return node != null;
        }

        final Node<K, V> advance() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Node<K, V> current = node;
            node = current.next;
            return current;
        }
    }

    private final class KeyWalk extends Walk implements Iterator<K> {
        public K next() { return advance().key; }
    }

    private final class ValueWalk extends Walk implements Iterator<V> {
        public V next() { return advance().value; }
    }

    private final class EntryWalk extends Walk implements Iterator<Map.Entry<K, V>> {
        public Map.Entry<K, V> next() { return advance(); }
    }

    private abstract class View<E> implements Set<E> {
        public boolean add(E element) { throw new UnsupportedOperationException(); }
        public int size() { return size; }
    }

    private final class Keys extends View<K> {
        public Iterator<K> iterator() { return new KeyWalk(); }
    }

    private final class Values extends View<V> {
        public Iterator<V> iterator() { return new ValueWalk(); }
    }

    private final class Entries extends View<Map.Entry<K, V>> {
        public Iterator<Map.Entry<K, V>> iterator() { return new EntryWalk(); }
    }
}
