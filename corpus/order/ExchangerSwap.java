// Two threads swap buffers through an Exchanger; after the swap each works on the other's former buffer.
package order;

import java.util.concurrent.Exchanger;

public class ExchangerSwap {
    static class Buffer {
        int fill;
    }

    public static void main(String[] args) throws Exception {
        Exchanger<Buffer> exchanger = new Exchanger<>();
        Thread filler = new Thread(() -> {
            Buffer buffer = new Buffer();
            buffer.fill = 8; //~ NORACE: before the exchange
            try {
                buffer = exchanger.exchange(buffer);
                buffer.fill++; //~ NORACE: now the other one's buffer, taken out of the exchanger
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        filler.start();
        Buffer empty = new Buffer();
        Buffer full = exchanger.exchange(empty);
        System.out.println(full.fill); //~ NORACE: written before the exchange, and taken out of it
        filler.join();
    }
}
