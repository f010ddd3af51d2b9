/** Compiled for Java 8: enum switches through synthetic maps, string switches, try-with-resources with helpers. */
public class OldSwitch {
    enum Day { MON, TUE, SAT, SUN }

    static class Closing implements AutoCloseable {
        final String name;
        Closing(String name) { this.name = name; }
        public void close() throws Exception {
            System.out.println("closing " + name);
            if (name.equals("b")) throw new Exception("close " + name);
        }
    }

    static boolean weekend(Day d) {
        switch (d) {
            case SAT:
            case SUN: return true;
            default: return false;
        }
    }

    static int code(String s) {
        switch (s) {
            case "FB": return 1;
            case "Ea": return 2;
            case "x": return 3;
            default: return 0;
        }
    }

    public static void main(String[] args) {
        for (Day d : Day.values()) System.out.print(d + "=" + weekend(d) + " ");
        System.out.println(code("FB") + code("Ea") * 10 + code("x") * 100 + code("y") * 1000);
        try (Closing a = new Closing("a"); Closing b = new Closing("b")) {
            System.out.println("body " + a.name + b.name);
            throw new IllegalStateException("body failed");
        } catch (Exception e) {
            System.out.println(e.getMessage() + " " + e.getSuppressed().length + " " + e.getSuppressed()[0].getMessage());
        }
    }
}
