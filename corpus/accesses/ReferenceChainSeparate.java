// The same code with one address for each customer: the field is the same, the objects are not.
package accesses;

public class ReferenceChainSeparate {
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
        customer.address.city = "Basel"; //~ NORACE: the address belongs to one customer
    }

    static String label(Customer customer) {
        return "to " + customer.address.city; //~ NORACE: another address
    }

    public static void main(String[] args) throws Exception {
        Customer husband = new Customer(new Address());
        Customer wife = new Customer(new Address());
        Thread mover = new Thread(() -> move(husband));
        mover.start();
        System.out.println(label(wife));
        mover.join();
    }
}
