// selvedge: library=open.OrderService
// A service as teams write it: repository in a concurrent map, immutable values, an id sequence, an audit log under a
// lock.
package open;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

public class OrderService {
    private final Repository repository = new Repository();
    private final Audit audit = new Audit();
    private final AtomicLong ids = new AtomicLong();

    public Order place(String customer, int amount) {
        Order order = new Order.Builder().id(ids.incrementAndGet()).customer(customer).amount(amount).build();
        repository.save(order);
        audit.note("placed " + order.id());
        return order;
    }

    public Optional<Order> cancel(long id) {
        Optional<Order> changed = repository.update(id);
        changed.ifPresent(order -> audit.note("cancelled " + order.id()));
        return changed;
    }

    public List<Order> of(String customer) {
        return repository.byCustomer(customer);
    }

    public List<String> history() {
        return audit.lines();
    }

    public static final class Order {
        private final long id;
        private final String customer;
        private final int amount;
        private final boolean cancelled;

        private Order(Builder builder) {
            id = builder.id; //~ NORACE: the builder is local
            customer = builder.customer; //~ NORACE: the builder is local
            amount = builder.amount; //~ NORACE: the builder is local
            cancelled = builder.cancelled; //~ NORACE: the builder is local
        }

        public long id() {
            return id; //~ NORACE: final
        }

        public String customer() {
            return customer; //~ NORACE: final
        }

        Order cancel() {
            Builder builder = new Builder().id(id).customer(customer).amount(amount);
            builder.cancelled = true; //~ NORACE: the builder is local
            return builder.build();
        }

        static final class Builder {
            private long id;
            private String customer;
            private int amount;
            private boolean cancelled;

            Builder id(long value) {
                id = value; //~ NORACE: the builder is local
                return this;
            }

            Builder customer(String value) {
                customer = value; //~ NORACE: the builder is local
                return this;
            }

            Builder amount(int value) {
                amount = value; //~ NORACE: the builder is local
                return this;
            }

            Order build() {
                return new Order(this);
            }
        }
    }

    private static final class Repository {
        private final ConcurrentMap<Long, Order> orders = new ConcurrentHashMap<>();

        void save(Order order) {
            orders.put(order.id(), order);
        }

        Optional<Order> update(long id) {
            return Optional.ofNullable(orders.computeIfPresent(id, (key, order) -> order.cancel()));
        }

        List<Order> byCustomer(String customer) {
            return orders.values().stream().filter(order -> order.customer().equals(customer))
                .collect(Collectors.toList());
        }
    }

    private static final class Audit {
        private final List<String> lines = new ArrayList<>();

        synchronized void note(String line) {
            lines.add(line); //~ NORACE: guarded by this
        }

        synchronized List<String> lines() {
            return Collections.unmodifiableList(new ArrayList<>(lines)); //~ NORACE: a copy, made under the lock
        }
    }
}
