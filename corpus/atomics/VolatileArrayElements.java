// A volatile array field makes the reference volatile, not the elements.
package atomics;

public class VolatileArrayElements {
    private volatile int[] readings = new int[4];

    void measure(int channel, int value) {
        readings[channel] = value; //~ RACE
    }

    int read(int channel) {
        return readings[channel]; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        VolatileArrayElements sensor = new VolatileArrayElements();
        Thread driver = new Thread(() -> sensor.measure(1, 20));
        driver.start();
        System.out.println(sensor.read(1) >= 0);
        driver.join();
    }
}
