/** StringBuilder and StringBuffer: every append, insert, delete, reverse, growth, setCharAt. */
public class Builders {
    public static void main(String[] args) {
        StringBuilder sb = new StringBuilder();
        sb.append(true).append('c').append(1).append(2L).append(1.5f).append(2.5).append("s").append((Object) null).append(new char[]{'x', 'y'});
        sb.append("substring", 3, 6).append(new StringBuilder("inner")).append((String) null).appendCodePoint(0x1f600);
        System.out.println(sb + " " + sb.length());
        sb.insert(0, "<<").insert(2, 42).insert(4, 'z').insert(5, false).insert(3, 1.25);
        System.out.println(sb);
        sb.delete(0, 5).deleteCharAt(0).setCharAt(1, '#');
        sb.replace(2, 4, "REPLACED");
        System.out.println(sb + " " + sb.indexOf("REPL") + " " + sb.charAt(3));
        sb.setLength(10);
        System.out.println(sb.reverse() + "|" + sb.substring(4) + "|" + sb.substring(1, 3));
        StringBuilder big = new StringBuilder(2);
        for (int i = 0; i < 300; i++) big.append((char) ('a' + i % 26));
        System.out.println(big.length() + " " + big.toString().hashCode() + " " + (big.capacity() >= 300));
        big.setCharAt(0, '\u0101');
        System.out.println(big.charAt(0) + " " + big.charAt(299) + " " + big.toString().hashCode());
        StringBuffer buffer = new StringBuffer("buf");
        buffer.append(1).append('-').append(2.0).insert(0, "sync").reverse();
        System.out.println(buffer + " " + buffer.length());
        System.out.println(new StringBuilder("abc").compareTo(new StringBuilder("abd")) + " " + "abc".contentEquals(new StringBuffer("abc")));
        try {
            sb.insert(99, "x");
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            sb.charAt(-1);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getClass().getSimpleName());
        }
        StringBuilder palindrome = new StringBuilder("A man a plan".replace(" ", "").toLowerCase());
        System.out.println(palindrome.append(new StringBuilder(palindrome).reverse()));
        int digits = 0;
        for (int i = 0; i < 200; i++) digits += String.valueOf(i * 37).length();
        System.out.println(digits);
    }
}
