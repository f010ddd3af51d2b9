// The filler goes on writing into the buffer that it gave away.
package order;

import java.util.concurrent.Exchanger;

public class ExchangerKeepsOld {
    static class Buffer {
        int fill;
    }

    public static void main(String[] args) throws Exception {
        Exchanger<Buffer> exchanger = new Exchanger<>();
        Thread filler = new Thread(() -> {
            Buffer buffer = new Buffer();
            buffer.fill = 8; //~ NORACE: before the exchange
            try {
                exchanger.exchange(buffer);
                buffer.fill = 0; //~ RACE
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        filler.start();
        Buffer full = exchanger.exchange(new Buffer());
        System.out.println(full.fill >= 0); //~ RACE
        filler.join();
    }
}
