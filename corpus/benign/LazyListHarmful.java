// A lazily made list: two threads may make two lists and one of the additions is lost. Not benign at all.
package benign;

import java.util.ArrayList;
import java.util.List;

public class LazyListHarmful {
    private List<String> errors;

    void report(String error) {
        if (errors == null) { //~ RACE
            errors = new ArrayList<>(); //~ RACE
        }
        errors.add(error); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        LazyListHarmful log = new LazyListHarmful();
        Thread other = new Thread(() -> log.report("a"));
        other.start();
        log.report("b");
        other.join();
    }
}
