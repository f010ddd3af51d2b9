package shop;

/** Takes orders from many threads. The stock is guarded; the count of orders is not. */
public final class Desk {
    private final Stock stock;
    private int orders;

    public Desk(Stock stock) {
        this.stock = stock;
    }

    public boolean order(String article) {
        boolean taken = stock.take(article);
        if (taken) {
            orders++;
        }
        return taken;
    }

    public int orders() {
        return orders;
    }
}
