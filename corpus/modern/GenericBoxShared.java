// A generic holder shared by two threads: the type parameter changes nothing about the race on its field.
package modern;

public class GenericBoxShared {
    static class Box<T> {
        private T content;

        void set(T value) {
            content = value; //~ RACE
        }

        T get() {
            return content; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        var box = new Box<String>();
        Thread filler = new Thread(() -> box.set("gift"));
        filler.start();
        System.out.println(box.get() == null || box.get().length() == 4);
        filler.join();
    }
}
