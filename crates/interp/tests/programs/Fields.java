/** Instance and static fields of every type, hiding, constants, default values, access through subclasses and interfaces. */
public class Fields {
    static class Base {
        boolean z;
        byte b = -1;
        char c = 'q';
        short s = 300;
        int i = 70000;
        long j = 1L << 40;
        float f = 1.25f;
        double d = -2.5;
        String text = "base";
        static int count;
        final int id = ++count;

        String show() {
            return z + " " + b + " " + c + " " + s + " " + i + " " + j + " " + f + " " + d + " " + text + " " + id;
        }
    }

    static class Derived extends Base implements Limits {
        String text = "derived";
        int i = 5;

        String both() {
            return text + "/" + super.text + "/" + ((Base) this).text + " " + i + "/" + super.i + " " + MAX + " " + LAZY;
        }
    }

    interface Limits {
        int MAX = 10;
        String LAZY = new String("lazy").toUpperCase();
    }

    static boolean sz;
    static byte sb;
    static char sc;
    static short ss;
    static int si;
    static long sj;
    static float sf;
    static double sd;
    static Object so;
    static final String CONSTANT = "con" + "stant" + 1;
    static final long BIG = 1L << 35;

    static int next() {
        return si++;
    }

    public static void main(String[] args) {
        Base base = new Base();
        System.out.println(base.show());
        base.z = !base.z;
        base.b += 130;
        base.c--;
        base.s <<= 8;
        base.i ^= -1;
        base.j++;
        base.f /= 3;
        base.d *= base.f;
        base.text += "!" + base.text;
        System.out.println(base.show());
        Derived derived = new Derived();
        System.out.println(derived.both() + " " + derived.show());
        Base alias = derived;
        alias.text = "changed";
        alias.i = -1;
        System.out.println(derived.both() + " " + Derived.count);
        System.out.println(sz + " " + sb + " " + (int) sc + " " + ss + " " + si + " " + sj + " " + sf + " " + sd + " " + so);
        sz = true;
        sb = (byte) (sb - 1);
        sc = (char) -1;
        ss = (short) (ss | 0x8000);
        sj = ~sj;
        sf = 1 / 0f;
        sd = sj;
        so = args;
        System.out.println(sz + " " + sb + " " + (int) sc + " " + ss + " " + next() + next() + si + " " + sj + " " + sf + " " + sd + " " + (so == args));
        System.out.println(CONSTANT + BIG + (CONSTANT == "constant1"));
        Base nothing = null;
        System.out.println(nothing.count);
        try {
            nothing.i = 3;
        } catch (NullPointerException e) {
            System.out.println("null pointer");
        }
    }
}
