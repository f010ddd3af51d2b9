/** String concatenation of every type, through the factory: constants, nulls, chars, nested, compound assignment. */
public class Concat {
    static class Thing {
        final int n;
        Thing(int n) { this.n = n; }
        @Override public String toString() { return n == 0 ? null : "Thing" + n; }
    }

    static int calls;

    static int next() {
        return ++calls;
    }

    public static void main(String[] args) {
        boolean z = true;
        byte b = -7;
        char c = '\u00df';
        short s = -300;
        int i = 123456;
        long j = -9876543210L;
        float f = 1.1f;
        double d = 2.2e-9;
        Object o = null;
        String t = null;
        System.out.println("z" + z + "b" + b + "c" + c + "s" + s + "i" + i + "j" + j + "f" + f + "d" + d + "o" + o + "t" + t);
        System.out.println("" + z + b + c + s + i + j + f + d + o + t + new Thing(3) + new Thing(0));
        System.out.println(1 + 2 + "three" + 4 + 5 + (6 + 7) + 'c' + ('c' + 1) + (char) ('c' + 1));
        String grow = "";
        for (int k = 0; k < 5; k++) grow += k + ",";
        System.out.println(grow);
        grow += 'x';
        grow += 1.5;
        grow += new char[]{'n', 'o'}.length;
        grow += null;
        System.out.println(grow);
        String[] array = {"a", "b"};
        array[next() - 1] += "c" + next();
        System.out.println(array[0] + array[1] + calls);
        String special = "\1 and \2 " + i + "\2\1" + j;
        System.out.println(special.length() + " " + special.indexOf('\2'));
        System.out.println("\u4e2d" + i + "\ud83d\ude00" + c + f);
        System.out.println(Integer.MIN_VALUE + "" + Long.MIN_VALUE + "" + Double.MIN_VALUE + Float.MAX_VALUE + Byte.MIN_VALUE + Character.MAX_VALUE);
        Object obj = new int[0];
        System.out.println(("" + obj).startsWith("[I@"));
        final String constant = "con" + 1 + 2L + 'c' + 1.0 + 2.0f + true;
        System.out.println(constant + (constant == "con12c1.02.0true"));
        String many = "" + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i;
        System.out.println(many.length());
    }
}
