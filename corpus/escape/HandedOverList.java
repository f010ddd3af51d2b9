// An immutable list in a field that is not final: the list is safe, the field is not.
package escape;

import java.util.List;

public class HandedOverList {
    private static HandedOverList current;
    private List<String> hosts;

    HandedOverList(List<String> given) {
        this.hosts = given; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        Thread reader = new Thread(() -> {
            HandedOverList seen = current; //~ RACE
            if (seen != null && seen.hosts.isEmpty()) { //~ RACE
                System.out.println("?");
            }
        });
        reader.start();
        current = new HandedOverList(List.of("a", "b")); //~ RACE
        reader.join();
        System.out.println("done");
    }
}
