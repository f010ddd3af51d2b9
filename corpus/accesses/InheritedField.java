// The field lives in the superclass: the writer goes through a method of the subclass, the reader through one of the
// superclass, both on one object and without a lock.
package accesses;

public class InheritedField {
    static class Device {
        protected int status;

        int poll() {
            return status; //~ RACE
        }
    }

    static class Printer extends Device {
        void print(int pages) {
            status = pages; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        Printer printer = new Printer();
        Device device = printer;
        Thread user = new Thread(() -> printer.print(12));
        user.start();
        System.out.println(device.poll() >= 0);
        user.join();
        printer.print(0);
    }
}
