// javac: --enable-preview --release 17
class PatternSwitch {
    enum Kind { A, B }

    static int types(Object o) {
        return switch (o) {
            case Integer i && i > 3 -> i;
            case String s -> s.length();
            case Kind k -> k.ordinal();
            case null -> -1;
            default -> 0;
        };
    }
}
