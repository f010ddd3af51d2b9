class Strings {
    static final String ODD = "\0 \ud800 \ud83d\ude00 \u0001 \"quoted\" \\ \n";

    static String concat(int a, long b, double c, char d, Object e, String f) {
        String all = "a=" + a + ", " + b + c + d + e + f + '\u0001' + ODD;
        all += 5;
        return all;
    }
}
