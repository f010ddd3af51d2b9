// The constructor copies the given set: what the giver does to it later is no matter.
package modern;

import java.util.HashSet;
import java.util.Set;

public class CopiedSet {
    private final Set<String> roles;

    CopiedSet(Set<String> roles) {
        this.roles = Set.copyOf(roles);
    }

    boolean may(String role) {
        return roles.contains(role); //~ NORACE: an immutable copy
    }

    public static void main(String[] args) throws Exception {
        Set<String> draft = new HashSet<>();
        draft.add("reader"); //~ NORACE: main's own
        CopiedSet user = new CopiedSet(draft);
        Thread other = new Thread(() -> System.out.println(user.may("reader")));
        other.start();
        draft.add("writer"); //~ NORACE: main's own
        other.join();
    }
}
