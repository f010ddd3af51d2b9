// The copy-on-write list with the unsynchronized getter, one list for each thread.
package papers;

public class CopyOnWriteListSeparate {
    static class CopyOnWriteList {
        private String[] array = new String[0];

        private String[] snapshot() {
            return array; //~ NORACE: a list for each thread
        }

        synchronized void add(String element) {
            int length = array.length;
            String[] longer = new String[length + 1];
            System.arraycopy(array, 0, longer, 0, length);
            longer[length] = element; //~ NORACE: a list for each thread
            array = longer; //~ NORACE: a list for each thread
        }

        int letters() {
            int sum = 0;
            for (String element : snapshot()) { //~ NORACE: a list for each thread
                sum += element.length();
            }
            return sum;
        }
    }

    static void use(CopyOnWriteList list) {
        list.add("x");
        list.letters();
    }

    public static void main(String[] args) throws Exception {
        CopyOnWriteList one = new CopyOnWriteList();
        CopyOnWriteList two = new CopyOnWriteList();
        Thread a = new Thread(() -> use(one));
        Thread b = new Thread(() -> use(two));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(one.letters() + two.letters());
    }
}
