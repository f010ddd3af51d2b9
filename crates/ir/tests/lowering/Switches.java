class Switches {
    enum Colour { RED, GREEN, BLUE }

    static int dense(int n) {
        switch (n) {
            case 1: return 10;
            case 2: n += 5;
            case 3: n *= 2; break;
            case 5: return n;
            default: n = -1;
        }
        return n;
    }

    static int sparse(int n) {
        return switch (n) {
            case -1_000_000 -> 1;
            case 0, 7 -> 2;
            case 1_000_000 -> { int m = n; while (m > 3) m /= 2; yield m; }
            default -> throw new IllegalStateException();
        };
    }

    static int colours(Colour colour) {
        return switch (colour) {
            case RED -> 1;
            case BLUE -> 3;
            default -> 0;
        };
    }

    static int strings(String text) {
        switch (text) {
            case "Aa": return 1;
            case "BB": return 2;
            case "other": return 3;
        }
        return 0;
    }
}
