import java.util.Arrays;

/** String methods over Latin and non-Latin text, surrogate pairs, interning, comparison, formatting of parts. */
public class Strings {
    public static void main(String[] args) {
        String s = "  Hello, World  ";
        System.out.println("[" + s.trim() + "][" + s.strip() + "][" + s.substring(3, 8) + "]" + s.length());
        System.out.println(s.indexOf('o') + " " + s.lastIndexOf('o') + " " + s.indexOf("World") + " " + s.indexOf("x") + " " + s.indexOf('l', 6));
        System.out.println(s.replace('l', 'L') + s.replace("World", "There") + s.toUpperCase() + s.toLowerCase());
        System.out.println(s.contains("lo,") + " " + s.startsWith("  H") + " " + s.endsWith("d") + " " + s.isEmpty() + " " + "   ".isBlank());
        System.out.println("abc".compareTo("abd") + " " + "abc".compareTo("ab") + " " + "ABC".compareToIgnoreCase("abd") + " " + "abc".equalsIgnoreCase("ABC"));
        System.out.println(Arrays.toString("a,b,,c,,".split(",")) + Arrays.toString("a1b22c".split("\\d+")) + Arrays.toString("x.y.z".split("\\.", 2)));
        System.out.println(String.join("-", "a", "b", "c") + String.join("/", Arrays.asList("x", "y")));
        System.out.println("ab".repeat(3) + "abc".charAt(1) + "abc".hashCode() + "".hashCode());
        System.out.println(String.valueOf(new char[]{'x', 'y'}) + String.valueOf(1.5f) + String.valueOf((Object) null) + String.copyValueOf(new char[]{'1', '2', '3'}, 1, 2));
        String greek = "\u0391\u03b8\u03ae\u03bd\u03b1";
        System.out.println(greek + " " + greek.length() + " " + greek.toUpperCase() + " " + greek.charAt(1) + " " + (greek.compareTo("Z") > 0) + " " + greek.hashCode());
        String clef = "a\ud834\udd1eb";
        System.out.println(clef + " " + clef.length() + " " + clef.codePointCount(0, clef.length()) + " " + clef.codePointAt(1) + " " + new StringBuilder(clef).reverse());
        System.out.println((greek + "latin").substring(5).equals("latin") + " " + (greek + "x").indexOf("x") + " " + greek.concat("!").endsWith("\u03b1!"));
        String a = "inter" + "ned", b = new String("interned"), c = "int".concat("erned");
        System.out.println((a == b) + " " + (a == b.intern()) + " " + (a == c.intern()) + " " + a.equals(b) + " " + (a == "interned"));
        char[] chars = "hello".toCharArray();
        chars[0] = 'J';
        System.out.println(new String(chars) + new String(chars, 1, 3) + "hello".toCharArray().length);
        byte[] utf8 = "h\u00e9llo \u20ac".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        System.out.println(Arrays.toString(utf8) + new String(utf8, java.nio.charset.StandardCharsets.UTF_8) + new String(utf8, java.nio.charset.StandardCharsets.ISO_8859_1).length());
        System.out.println("one\ntwo\nthree".lines().count() + " " + "a-b-c".chars().filter(ch -> ch == '-').count());
        String block = """
            {
              "key": "value",\tok
              joined \
            line
            }""";
        System.out.println(block);
        System.out.println("tab\tquote\"back\\slash\u0041\101\0end".length());
        System.out.println("%d items at %s".formatted(3, "home") + "x".compareTo("\u00ff") + " " + "Stra\u00dfe".toUpperCase());
        try {
            "abc".substring(2, 1);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            "abc".charAt(5);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println("char at");
        }
        System.out.println("b,a".chars().sum() + " " + "mississippi".replaceAll("ss", "SS") + " " + "a.b".matches("a\\.b"));
        CharSequence seq = new StringBuilder("seq");
        System.out.println("seq".contentEquals(seq) + " " + seq.subSequence(1, 3) + " " + "x".regionMatches(true, 0, "X", 0, 1));
    }
}
