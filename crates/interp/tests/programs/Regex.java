import java.util.regex.*;

/** Regular expressions: groups, backreferences, quantifiers, look-around, replacement, splitting. */
public class Regex {
    static void find(String pattern, String text) {
        Matcher m = Pattern.compile(pattern).matcher(text);
        StringBuilder sb = new StringBuilder(pattern + ": ");
        while (m.find()) {
            sb.append('[').append(m.start()).append('-').append(m.end()).append(' ').append(m.group());
            for (int g = 1; g <= m.groupCount(); g++) sb.append('|').append(m.group(g));
            sb.append("] ");
        }
        System.out.println(sb);
    }

    public static void main(String[] args) {
        find("\\d+", "a1 b22 c333");
        find("(\\w+)@(\\w+)\\.com", "ann@home.com, bob@work.com, x@y.org");
        find("(a|b)*c?", "abacab");
        find("(\\w)\\1", "bookkeeper");
        find("<(.+?)>", "<b>bold</b><i>it</i>");
        find("(?i)HELLO", "Hello hello");
        find("^\\s*(\\w+)\\s*=\\s*(.*?)\\s*$", "  key =  some value  ");
        find("(?<=\\$)\\d+(?!\\.)", "$10 $20.5 30");
        find("[^aeiou\\s]{2,}", "strong rhythm idea");
        find("x*+x", "xxx");
        System.out.println("2024-01-15".replaceAll("(\\d+)-(\\d+)-(\\d+)", "$3/$2/$1"));
        System.out.println(Pattern.matches("[a-z]+[0-9]?", "abc1") + " " + "abc".matches("ab"));
        System.out.println(String.join("|", "one1two22three".split("[0-9]+")) + " " + "a:b:c".split(":").length);
        Matcher named = Pattern.compile("(?<year>\\d{4})-(?<month>\\d\\d)").matcher("on 1999-12 and 2000-01");
        while (named.find()) System.out.print(named.group("month") + "/" + named.group("year") + " ");
        System.out.println();
        System.out.println(Pattern.compile("[aeiou]").matcher("programming").replaceAll(r -> r.group().toUpperCase()));
        System.out.println(Pattern.compile(",").splitAsStream("x,y,z").reduce("", (a, b) -> b + a));
        try {
            Pattern.compile("(unclosed");
        } catch (PatternSyntaxException e) {
            System.out.println(e.getDescription());
        }
        System.out.println("tel: 555-1234".replaceFirst("\\d{3}", "###") + " " + Pattern.quote("a.b"));
    }
}
