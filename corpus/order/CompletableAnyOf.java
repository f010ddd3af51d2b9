// anyOf completes with the first stage: the other one may still be writing.
package order;

import java.util.concurrent.CompletableFuture;

public class CompletableAnyOf {
    static class Profile {
        String name = "";
        int age;
    }

    public static void main(String[] args) {
        Profile profile = new Profile();
        CompletableFuture<Void> name = CompletableFuture.runAsync(() -> {
            profile.name = "Ada"; //~ RACE
        });
        CompletableFuture<Void> age = CompletableFuture.runAsync(() -> {
            profile.age = 36; //~ RACE
        });
        CompletableFuture.anyOf(name, age).join();
        System.out.println((profile.name + profile.age).length() > 0); //~ RACE
        CompletableFuture.allOf(name, age).join();
    }
}
