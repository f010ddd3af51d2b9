// A generic box that is passed on through a plain field: its content may not be there yet.
package escape;

public class HandedOverBox {
    static class Box<T> {
        private T content;

        Box(T content) {
            this.content = content; //~ RACE
        }

        T content() {
            return content; //~ RACE
        }
    }

    static Box<String> shared;

    public static void main(String[] args) throws Exception {
        Thread reader = new Thread(() -> {
            Box<String> seen = shared; //~ RACE
            if (seen != null && seen.content() == null) {
                System.out.println("?");
            }
        });
        reader.start();
        shared = new Box<>("text"); //~ RACE
        reader.join();
        System.out.println("done");
    }
}
