// Two threads reach the same address through different customers: the race is on the field at the end of the chain.
package accesses;

public class ReferenceChain {
    static class Address {
        String city = "Bern";
    }

    static class Customer {
        final Address address;

        Customer(Address address) {
            this.address = address;
        }
    }

    static void move(Customer customer) {
        customer.address.city = "Basel"; //~ RACE
    }

    static String label(Customer customer) {
        return "to " + customer.address.city; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        Address shared = new Address();
        Customer husband = new Customer(shared);
        Customer wife = new Customer(shared);
        Thread mover = new Thread(() -> move(husband));
        mover.start();
        System.out.println(label(wife).length());
        mover.join();
    }
}
