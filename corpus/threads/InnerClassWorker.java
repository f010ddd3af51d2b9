// An inner class's thread works on fields of its outer object while the outer object's method reads them.
package threads;

public class InnerClassWorker {
    private int level;
    private String phase = "idle";

    class Filler extends Thread {
        @Override
        public void run() {
            phase = "filling"; //~ RACE
            level = 10; //~ RACE
        }
    }

    String describe() {
        return phase + " " + level; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        InnerClassWorker tank = new InnerClassWorker();
        Filler filler = tank.new Filler();
        filler.start();
        System.out.println(tank.describe().isEmpty());
        filler.join();
        System.out.println(tank.level); //~ NORACE: after the join
    }
}
