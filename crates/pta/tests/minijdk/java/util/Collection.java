package java.util;

public interface Collection<E> extends Iterable<E> {
    boolean add(E element);
    int size();
    default boolean addAll(Collection<? extends E> others) {
        for (Iterator<? extends E> each = others.iterator(); each.hasNext();) {
            add(each.next());
        }
        return true;
    }
}
