// The unsynchronized copy-on-write list with a reader that takes elements: since the array field races, the elements
// that were written before the assignment are not ordered before the reader either.
package papers;

public class CopyOnWriteListElements {
    private String[] array = new String[0];

    private String[] snapshot() {
        return array; //~ RACE
    }

    synchronized void add(String element) {
        int length = array.length; //~ NORACE: all writes hold this lock
        String[] longer = new String[length + 1];
        System.arraycopy(array, 0, longer, 0, length); //~ RACE
        longer[length] = element; //~ RACE: published without order
        array = longer; //~ RACE
    }

    int letters() {
        int sum = 0;
        for (String element : snapshot()) { //~ RACE: reads the elements
            sum += element == null ? 0 : element.length();
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        CopyOnWriteListElements list = new CopyOnWriteListElements();
        Thread writer = new Thread(() -> {
            list.add("x");
            list.add("y");
        });
        writer.start();
        System.out.println(list.letters() <= 2);
        writer.join();
    }
}
