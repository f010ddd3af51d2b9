// A hit counter for a debug page, deliberately without a lock: lost updates are accepted.
package benign;

public class StatisticsCounter {
    private int lookups;
    private final String[] table = {"zero", "one", "two"};

    String find(int index) {
        lookups++; //~ RACE: benign, statistics only
        return table[index]; //~ NORACE: never written after construction
    }

    public static void main(String[] args) throws Exception {
        StatisticsCounter dictionary = new StatisticsCounter();
        Thread other = new Thread(() -> dictionary.find(1));
        other.start();
        System.out.println(dictionary.find(2));
        other.join();
    }
}
