// Two method references to methods of one object, each run by its own thread; the methods touch the same field.
package threads;

public class MethodReferenceTasks {
    private int temperature = 20;

    void heat() {
        temperature += 5; //~ RACE
    }

    void cool() {
        temperature -= 5; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        MethodReferenceTasks room = new MethodReferenceTasks();
        Thread heater = new Thread(room::heat);
        Thread cooler = new Thread(room::cool);
        heater.start();
        cooler.start();
        heater.join();
        cooler.join();
    }
}
