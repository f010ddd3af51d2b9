// The copy-on-write list with a synchronized getter: the array is published under the lock and never changed again.
package papers;

public class CopyOnWriteListSynchronized {
    private String[] array = new String[0];

    private synchronized String[] snapshot() {
        return array; //~ NORACE: guarded by this
    }

    synchronized void add(String element) {
        int length = array.length; //~ NORACE: guarded by this
        String[] longer = new String[length + 1];
        System.arraycopy(array, 0, longer, 0, length); //~ NORACE: not published yet
        longer[length] = element; //~ NORACE: not published yet
        array = longer; //~ NORACE: guarded by this
    }

    int letters() {
        int sum = 0;
        for (String element : snapshot()) { //~ NORACE: written before it was published under the lock
            sum += element.length();
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        CopyOnWriteListSynchronized list = new CopyOnWriteListSynchronized();
        Thread writer = new Thread(() -> list.add("x"));
        Thread reader = new Thread(list::letters);
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println(list.letters());
    }
}
