// Two threads count letters into one shared array: the elements are read and written without order.
package accesses;

public class ArrayHistogram {
    private final int[] buckets = new int[26];

    void count(String text) {
        for (char c : text.toCharArray()) {
            buckets[c - 'a']++; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        ArrayHistogram histogram = new ArrayHistogram();
        Thread left = new Thread(() -> histogram.count("thequickbrownfox"));
        Thread right = new Thread(() -> histogram.count("jumpsoverthelazydog"));
        left.start();
        right.start();
        left.join();
        right.join();
        int sum = 0;
        for (int n : histogram.buckets) { //~ NORACE: after both joins
            sum += n;
        }
        System.out.println(sum > 0);
    }
}
