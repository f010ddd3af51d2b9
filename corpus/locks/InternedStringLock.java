// Two classes that lock the same string literal lock the same object: unusual, but they do exclude each other.
package locks;

public class InternedStringLock {
    private static int shared;

    static class Left implements Runnable {
        public void run() {
            synchronized ("corpus.lock") {
                shared++; //~ NORACE: literals are interned
            }
        }
    }

    static class Right implements Runnable {
        public void run() {
            synchronized ("corpus.lock") {
                shared--; //~ NORACE: literals are interned
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(new Left());
        Thread b = new Thread(new Right());
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(shared);
    }
}
