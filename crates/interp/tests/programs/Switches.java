/** Dense, sparse and huge switches on ints, chars, strings with colliding hashes; fall-through; nested; expressions. */
public class Switches {
    static String dense(int i) {
        switch (i) {
            case -1: return "minus one";
            case 0: return "zero";
            case 1:
            case 2: return "few";
            case 4: return "four";
            default: return "many";
        }
    }

    static int sparse(int key) {
        switch (key) {
            case Integer.MIN_VALUE: return 1;
            case -1000: return 2;
            case 0: return 3;
            case 1000000: return 4;
            case Integer.MAX_VALUE: return 5;
        }
        return -1;
    }

    static String text(String s) {
        switch (s) {
            case "Aa": return "first";
            case "BB": return "second";
            case "AaAa":
            case "BBBB":
            case "AaBB": return "collision";
            case "": return "empty";
            default: return "none of " + s.length();
        }
    }

    static String fall(int from) {
        String out = "";
        switch (from) {
            case 3: out += "3";
            case 2: out += "2";
            case 1: out += "1"; break;
            case 0: out += "0";
            default: out += "d";
        }
        return out;
    }

    static int score(char c) {
        return switch (c) {
            case 'a', 'e', 'i', 'o', 'u' -> 1;
            case 'q', 'z' -> 10;
            default -> {
                int base = c - 'a';
                if (base < 0) yield 0;
                yield base % 5 + 2;
            }
        };
    }

    static int nested(int a, int b) {
        switch (a) {
            case 0:
                switch (b) {
                    case 0: return 0;
                    case 1: break;
                    default: return 2;
                }
            case 1:
                return 10 + b;
            default:
                return switch (b) { case 5 -> 55; case 6 -> 66; default -> a * b; };
        }
    }

    public static void main(String[] args) {
        for (int i = -2; i < 6; i++) System.out.print(dense(i) + ", ");
        System.out.println(dense(Integer.MIN_VALUE) + dense(Integer.MAX_VALUE));
        for (int k : new int[]{Integer.MIN_VALUE, -1000, 0, 1, 1000000, Integer.MAX_VALUE, 7}) System.out.print(sparse(k) + " ");
        System.out.println();
        for (String s : new String[]{"Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa", "", "C#"}) System.out.println(text(s));
        for (int i = 0; i < 5; i++) System.out.print(fall(i) + " ");
        System.out.println();
        int total = 0;
        for (char c : "the quick brown fox".toCharArray()) total += score(c);
        System.out.println(total);
        for (int a = 0; a < 3; a++) for (int b = 0; b < 7; b += 3) System.out.print(nested(a, b) + " ");
        System.out.println(nested(0, 1));
        Byte boxed = (byte) 3;
        switch (boxed) { case 3: System.out.println("three"); break; default: System.out.println("not"); }
        try {
            text(null);
        } catch (NullPointerException e) {
            System.out.println("null switch");
        }
        switch (args.length) { default: System.out.println("only default"); }
    }
}
