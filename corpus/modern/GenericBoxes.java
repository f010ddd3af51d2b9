// Two boxes of different types, each used by one thread: the same field of the same class, but not of the same object.
package modern;

public class GenericBoxes {
    static class Box<T> {
        private T content;

        void set(T value) {
            content = value; //~ NORACE: a box for each thread
        }

        T get() {
            return content; //~ NORACE: a box for each thread
        }
    }

    public static void main(String[] args) throws Exception {
        var texts = new Box<String>();
        var numbers = new Box<Integer>();
        Thread filler = new Thread(() -> texts.set("gift"));
        filler.start();
        numbers.set(4);
        System.out.println(numbers.get());
        filler.join();
        System.out.println(texts.get());
    }
}
