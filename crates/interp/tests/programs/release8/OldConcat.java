/** Compiled for Java 8: concatenation through StringBuilder, synthetic accessors, interface statics. */
public class OldConcat {
    private int hidden = 4;

    private static String secret(int n) { return "secret" + n; }

    class Inner {
        private long total;
        int touch() {
            hidden += 2;
            hidden++;
            total = hidden * 2L;
            return hidden;
        }
    }

    interface Maker {
        String make();
        static Maker twice(Maker m) { return () -> m.make() + m.make(); }
    }

    public static void main(String[] args) {
        OldConcat o = new OldConcat();
        Inner inner = o.new Inner();
        inner.total += 5;
        System.out.println("hidden " + inner.touch() + ' ' + o.hidden + " total " + inner.total++ + " " + inner.total);
        String s = null;
        s += 'c';
        s += 1 + 2L;
        s += 1.5f;
        s += 2.5;
        s += true;
        s += new char[0].length;
        System.out.println(s + null + (Object) null);
        System.out.println(Maker.twice(() -> secret(3)).make());
        StringBuilder sb = new StringBuilder();
        for (String word : "old code still runs".split(" ")) sb.append(word.charAt(0)).append(word.length());
        System.out.println(sb);
    }
}
