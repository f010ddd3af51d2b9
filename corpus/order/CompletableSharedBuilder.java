// Two stages that run at the same time write to one StringBuilder.
package order;

import java.util.concurrent.CompletableFuture;

public class CompletableSharedBuilder {
    public static void main(String[] args) {
        StringBuilder text = new StringBuilder();
        CompletableFuture<Void> north = CompletableFuture.runAsync(() -> text.append("north")); //~ RACE
        CompletableFuture<Void> south = CompletableFuture.runAsync(() -> text.append("south")); //~ RACE
        CompletableFuture.allOf(north, south).join();
        System.out.println(text.length()); //~ NORACE: after both stages
    }
}
