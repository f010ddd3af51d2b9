package shop;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class DeskTest {
    @Test
    public void twoCustomersAreServed() throws InterruptedException {
        Stock stock = new Stock();
        stock.add("thread", 2000);
        Desk desk = new Desk(stock);
        Runnable customer = () -> {
            for (int i = 0; i < 1000; i++) {
                desk.order("thread");
            }
        };
        Thread first = new Thread(customer);
        Thread second = new Thread(customer);
        first.start();
        second.start();
        first.join();
        second.join();
        assertTrue(desk.orders() > 0);
    }
}
