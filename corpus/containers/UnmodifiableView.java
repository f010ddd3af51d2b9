// An unmodifiable view protects against writes through the view only: the owner still adds while the reader iterates.
package containers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class UnmodifiableView {
    private final List<String> members = new ArrayList<>();

    List<String> members() {
        return Collections.unmodifiableList(members);
    }

    void join(String name) {
        members.add(name); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        UnmodifiableView club = new UnmodifiableView();
        List<String> view = club.members();
        Thread reader = new Thread(() -> {
            int n = view.size(); //~ RACE
            if (n < 0) {
                throw new AssertionError();
            }
        });
        reader.start();
        club.join("ann");
        reader.join();
    }
}
