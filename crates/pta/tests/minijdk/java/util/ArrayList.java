package java.util;

public class ArrayList<E> implements List<E> {
    private static final Object[] NONE = new Object[0];
    private Object[] elements = NONE;
    private int size;

    public ArrayList() {}

    public boolean add(E element) {
        if (size == elements.length) {
            Object[] larger = new Object[2 * size + 4];
            System.arraycopy(elements, 0, larger, 0, size);
            elements = larger;
        }
        elements[size++] = element;
        return true;
    }

    @SuppressWarnings("unchecked")
    public E get(int index) { return (E) elements[index]; }

    public E set(int index, E element) {
        E old = get(index);
        elements[index] = element;
        return old;
    }

    public int size() { return size; }

    public Iterator<E> iterator() { return new Walk(); }

    private class Walk implements Iterator<E> {
        private int next;
        public boolean hasNext() { return next < size; }
        public E next() {
            if (next >= size) {
                throw new NoSuchElementException();
            }
            return get(next++);
        }
    }
}
