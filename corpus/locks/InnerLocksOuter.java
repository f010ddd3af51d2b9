// The inner class synchronizes on its outer object, as the outer object's own methods do.
package locks;

public class InnerLocksOuter {
    private int size;

    synchronized void add() {
        size++; //~ NORACE: guarded by this
    }

    class Cursor {
        boolean atEnd(int position) {
            synchronized (InnerLocksOuter.this) {
                return position >= size; //~ NORACE: guarded by the outer object
            }
        }
    }

    public static void main(String[] args) throws Exception {
        InnerLocksOuter list = new InnerLocksOuter();
        Cursor cursor = list.new Cursor();
        Thread adder = new Thread(list::add);
        adder.start();
        cursor.atEnd(0);
        adder.join();
        System.out.println(cursor.atEnd(0));
    }
}
