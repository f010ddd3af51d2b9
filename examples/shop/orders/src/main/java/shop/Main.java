package shop;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Serves a thousand customers with four threads. */
public final class Main {
    public static void main(String[] arguments) throws InterruptedException {
        Stock stock = new Stock();
        stock.add("thread", 1000);
        Desk desk = new Desk(stock);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        for (int customer = 0; customer < 1000; customer++) {
            pool.execute(() -> desk.order("thread"));
        }
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println(desk.orders() + " orders");
    }
}
