// An AtomicIntegerArray has atomic elements, so a writer and a reader of one element do not race.
package atomics;

import java.util.concurrent.atomic.AtomicIntegerArray;

public class AtomicArrayElements {
    private final AtomicIntegerArray readings = new AtomicIntegerArray(4);

    void measure(int channel, int value) {
        readings.set(channel, value); //~ NORACE: atomic element
    }

    int read(int channel) {
        return readings.get(channel); //~ NORACE: atomic element
    }

    public static void main(String[] args) throws Exception {
        AtomicArrayElements sensor = new AtomicArrayElements();
        Thread driver = new Thread(() -> sensor.measure(1, 20));
        driver.start();
        System.out.println(sensor.read(1) >= 0);
        driver.join();
    }
}
