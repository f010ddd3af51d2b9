// An @Immutable value with final fields, replaced as a whole in a volatile field.
package annotations;

import net.jcip.annotations.Immutable;

public class ImmutableKept {
    @Immutable
    static final class Price {
        private final int cents;
        private final String currency;

        Price(int cents, String currency) {
            this.cents = cents;
            this.currency = currency;
        }

        Price raise(int percent) {
            return new Price(cents + cents * percent / 100, currency); //~ NORACE: final fields
        }
    }

    private volatile Price price = new Price(1000, "CHF");

    public static void main(String[] args) throws Exception {
        ImmutableKept shop = new ImmutableKept();
        Thread manager = new Thread(() -> shop.price = shop.price.raise(10)); //~ NORACE: volatile
        manager.start();
        System.out.println(shop.price.currency); //~ NORACE: volatile, then final
        manager.join();
    }
}
