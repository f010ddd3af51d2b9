// selvedge: library=containers.FormatOfFactoryShared
// As FormatPerOwner, but one format is given to two owners, one digest has no lock, and one format is static.
package containers;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.DateFormat;
import java.text.NumberFormat;
import java.util.Date;

public class FormatOfFactoryShared {
    private static final NumberFormat PRICES = NumberFormat.getCurrencyInstance();

    static class Clock {
        private final DateFormat format;

        Clock(DateFormat format) {
            this.format = format;
        }

        synchronized String show(Date date) {
            return format.format(date); //~ RACE
        }
    }

    private final Clock here;
    private final Clock there;
    private final MessageDigest digest;

    public FormatOfFactoryShared() throws NoSuchAlgorithmException {
        DateFormat format = DateFormat.getDateInstance();
        here = new Clock(format);
        there = new Clock(format);
        digest = MessageDigest.getInstance("SHA-256");
    }

    public String both(Date date) {
        return here.show(date) + there.show(date);
    }

    public String price(double amount) {
        return PRICES.format(amount); //~ RACE
    }

    public byte[] seal(byte[] text) {
        return digest.digest(text); //~ RACE
    }
}
