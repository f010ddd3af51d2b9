// selvedge: library=open.OrderServiceMutable
// As OrderService, but the orders in the concurrent map are changed in place, and the audit log hands out a view.
package open;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

public class OrderServiceMutable {
    private final ConcurrentMap<Long, Order> orders = new ConcurrentHashMap<>();
    private final List<String> lines = new ArrayList<>();
    private final AtomicLong ids = new AtomicLong();

    public long place(String customer) {
        Order order = new Order(ids.incrementAndGet(), customer);
        orders.put(order.id, order);
        note("placed " + order.id);
        return order.id;
    }

    public void cancel(long id) {
        Order order = orders.get(id);
        if (order != null && !order.cancelled) { //~ RACE
            order.cancelled = true; //~ RACE
            note("cancelled " + id);
        }
    }

    public String history() {
        StringBuilder text = new StringBuilder();
        for (String line : lines) { //~ RACE
            text.append(line);
        }
        return text.toString();
    }

    private synchronized void note(String line) {
        lines.add(line); //~ RACE
    }

    private static final class Order {
        final long id;
        final String customer;
        boolean cancelled;

        Order(long id, String customer) {
            this.id = id;
            this.customer = customer;
        }
    }
}
