// selvedge: library=containers.FormatPerOwner
// Formats and digests that factories of the library make: each owner has its own, under its own lock.
package containers;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.DateFormat;
import java.text.NumberFormat;
import java.util.Date;

public class FormatPerOwner {
    static class Clock {
        private final DateFormat format = DateFormat.getDateInstance();

        synchronized String show(Date date) {
            return format.format(date); //~ NORACE
        }
    }

    static class Calendar {
        private final DateFormat format = DateFormat.getDateInstance(DateFormat.SHORT);

        synchronized String show(Date date) {
            return format.format(date); //~ NORACE
        }
    }

    static class Price {
        private final NumberFormat format = NumberFormat.getCurrencyInstance();

        synchronized String show(double amount) {
            return format.format(amount); //~ NORACE
        }
    }

    static class Seal {
        private final MessageDigest digest;

        Seal() throws NoSuchAlgorithmException {
            digest = MessageDigest.getInstance("SHA-256");
        }

        synchronized byte[] of(byte[] text) {
            return digest.digest(text); //~ NORACE
        }
    }

    private final Clock clock = new Clock();
    private final Calendar calendar = new Calendar();
    private final Price price = new Price();
    private final Seal seal;

    public FormatPerOwner() throws NoSuchAlgorithmException {
        seal = new Seal();
    }

    public String both(Date date) {
        return clock.show(date) + calendar.show(date);
    }

    public String price(double amount) {
        return price.show(amount);
    }

    public byte[] seal(byte[] text) {
        return seal.of(text);
    }

    public static String once(Date date) throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("MD5");
        digest.update((byte) 1); //~ NORACE: of this call
        return DateFormat.getTimeInstance().format(date) + digest.digest().length; //~ NORACE
    }
}
