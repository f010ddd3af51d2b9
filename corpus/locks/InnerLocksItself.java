// The inner class's synchronized method locks the inner object, not the outer one whose field it reads.
package locks;

public class InnerLocksItself {
    private int size;

    synchronized void add() {
        size++; //~ RACE
    }

    class Cursor {
        synchronized boolean atEnd(int position) {
            return position >= size; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        InnerLocksItself list = new InnerLocksItself();
        Cursor cursor = list.new Cursor();
        Thread adder = new Thread(list::add);
        adder.start();
        System.out.println(cursor.atEnd(5));
        adder.join();
    }
}
