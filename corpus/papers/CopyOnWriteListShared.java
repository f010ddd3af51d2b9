// A hand-made copy-on-write list whose getter is not synchronized: it races with add on the array field. The elements
// do not, since the reader looks at the length only, which is fixed when an array is made.
package papers;

import java.util.Iterator;
import java.util.NoSuchElementException;

public class CopyOnWriteListShared {
    static class CopyOnWriteList {
        private Object[] array = new Object[0];

        private Object[] snapshot() {
            return array; //~ RACE: the lock of add is not held
        }

        synchronized void add(Object element) {
            int length = array.length; //~ NORACE: all writes hold this lock
            Object[] longer = new Object[length + 1];
            System.arraycopy(array, 0, longer, 0, length); //~ NORACE: not published yet
            longer[length] = element; //~ NORACE: not published yet
            array = longer; //~ RACE
        }

        Iterator<Object> iterator() {
            Object[] elements = snapshot();
            return new Iterator<>() {
                private int cursor;

                @Override
                public boolean hasNext() {
                    return cursor < elements.length; //~ NORACE: an iterator for each caller
                }

                @Override
                public Object next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    return elements[cursor++]; //~ NORACE: called after the join only
                }
            };
        }
    }

    public static void main(String[] args) throws Exception {
        CopyOnWriteList list = new CopyOnWriteList();
        Thread writer = new Thread(() -> list.add("x"));
        Thread reader = new Thread(() -> list.iterator().hasNext());
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println(list.iterator().next());
    }
}
