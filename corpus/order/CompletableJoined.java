// Two asynchronous stages fill different fields; join on their combination orders both before main's read.
package order;

import java.util.concurrent.CompletableFuture;

public class CompletableJoined {
    static class Profile {
        String name;
        int age;
    }

    public static void main(String[] args) {
        Profile profile = new Profile();
        CompletableFuture<Void> name = CompletableFuture.runAsync(() -> {
            profile.name = "Ada"; //~ NORACE: the combination is joined
        });
        CompletableFuture<Void> age = CompletableFuture.runAsync(() -> {
            profile.age = 36; //~ NORACE: the combination is joined
        });
        String text = name.thenCombine(age, (a, b) -> profile.name + profile.age).join(); //~ NORACE: after both
        System.out.println(text);
    }
}
