// Each thread counts into an array of its own and the main thread adds them up after the joins.
package accesses;

public class ArrayHistogramSafe {
    static class Counter extends Thread {
        private final String text;
        final int[] buckets = new int[26];

        Counter(String text) {
            this.text = text;
        }

        @Override
        public void run() {
            for (char c : text.toCharArray()) {
                buckets[c - 'a']++; //~ NORACE: one array for each thread
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Counter left = new Counter("thequickbrownfox");
        Counter right = new Counter("jumpsoverthelazydog");
        left.start();
        right.start();
        left.join();
        right.join();
        int e = left.buckets[4] + right.buckets[4]; //~ NORACE: after both joins
        System.out.println("e " + e);
    }
}
