// Neither thread has the list handed over: the one made it, the other comes to it through a view, which library code does for it.
import java.util.ArrayList;
import java.util.List;

public class ViewOfList {
    public static void main(String[] args) throws Exception {
        List<Integer> numbers = new ArrayList<>(List.of(1, 2, 3, 4));
        List<Integer> half = numbers.subList(0, 2);
        Thread doubler = new Thread(() -> half.replaceAll(number -> number * 2));
        doubler.start();
        numbers.set(0, 42);
        doubler.join();
    }
}
