// A class that is declared @Immutable but has a setter.
package annotations;

import net.jcip.annotations.Immutable;

public class ImmutableLie {
    @Immutable
    static final class Price {
        private int cents;

        Price(int cents) {
            this.cents = cents;
        }

        void setCents(int cents) {
            this.cents = cents; //~ RACE
        }

        int cents() {
            return cents; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        Price price = new Price(1000);
        Thread manager = new Thread(() -> price.setCents(1100));
        manager.start();
        System.out.println(price.cents() > 0);
        manager.join();
    }
}
