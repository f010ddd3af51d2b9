// Vector locks every call, so the calls do not race; the check and the removal are two steps, which is a logic error
// but no data race.
package containers;

import java.util.Vector;

public class VectorCheckThenAct {
    private final Vector<String> jobs = new Vector<>();

    String take() {
        if (!jobs.isEmpty()) { //~ NORACE: Vector locks itself
            try {
                return jobs.remove(jobs.size() - 1); //~ NORACE: Vector locks itself
            } catch (ArrayIndexOutOfBoundsException e) {
                return null;
            }
        }
        return null;
    }

    public static void main(String[] args) throws Exception {
        VectorCheckThenAct pool = new VectorCheckThenAct();
        for (int i = 0; i < 10; i++) {
            pool.jobs.add("job" + i);
        }
        Thread a = new Thread(pool::take);
        Thread b = new Thread(pool::take);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(pool.jobs.size() >= 8);
    }
}
