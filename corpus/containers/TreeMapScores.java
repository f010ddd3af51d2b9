// A sorted score table: one thread writes the TreeMap under a lock, the other reads it without one.
package containers;

import java.util.TreeMap;

public class TreeMapScores {
    private final TreeMap<Integer, String> scores = new TreeMap<>();

    void enter(int score, String name) {
        synchronized (scores) {
            scores.put(score, name); //~ RACE
        }
    }

    String leader() {
        var best = scores.lastEntry(); //~ RACE
        return best == null ? "nobody" : best.getValue();
    }

    public static void main(String[] args) throws Exception {
        TreeMapScores table = new TreeMapScores();
        Thread game = new Thread(() -> {
            table.enter(10, "ann");
            table.enter(20, "bob");
        });
        game.start();
        System.out.println(table.leader().isEmpty());
        game.join();
    }
}
