import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/** Enums with bodies, fields, abstract methods; switch over them; EnumMap and EnumSet; valueOf. */
public class Enums {
    enum Planet {
        MERCURY(3.303e+23, 2.4397e6), EARTH(5.976e+24, 6.37814e6), JUPITER(1.9e+27, 7.1492e7);
        private final double mass, radius;
        Planet(double mass, double radius) { this.mass = mass; this.radius = radius; }
        double gravity() { return 6.67300E-11 * mass / (radius * radius); }
    }

    enum Op {
        PLUS("+") { int apply(int a, int b) { return a + b; } },
        MINUS("-") { int apply(int a, int b) { return a - b; } },
        TIMES("*") { int apply(int a, int b) { return a * b; } };
        final String sign;
        Op(String sign) { this.sign = sign; }
        abstract int apply(int a, int b);
        @Override public String toString() { return "op" + sign; }
    }

    enum Light {
        RED, GREEN, AMBER;
        Light next() {
            switch (this) {
                case RED: return GREEN;
                case GREEN: return AMBER;
                default: return RED;
            }
        }
    }

    enum Empty {}

    static String weigh(Op op) {
        return switch (op) {
            case PLUS, MINUS -> "light";
            case TIMES -> {
                String s = "heavy";
                yield s + s.length();
            }
        };
    }

    public static void main(String[] args) {
        for (Planet p : Planet.values()) System.out.println(p + " " + p.ordinal() + " " + p.gravity());
        for (Op op : Op.values()) System.out.println(op + " " + op.name() + " " + op.apply(6, 3) + " " + weigh(op) + " " + op.getDeclaringClass().getSimpleName());
        Light light = Light.RED;
        for (int i = 0; i < 4; i++) { System.out.print(light + " "); light = light.next(); }
        System.out.println(light.compareTo(Light.RED) + " " + Light.valueOf("AMBER").ordinal() + " " + Empty.values().length);
        try {
            Light.valueOf("BLUE");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Map<Light, Integer> seconds = new EnumMap<>(Light.class);
        seconds.put(Light.AMBER, 3);
        seconds.put(Light.RED, 30);
        System.out.println(seconds + " " + seconds.get(Light.GREEN));
        EnumSet<Light> set = EnumSet.of(Light.AMBER, Light.RED);
        System.out.println(set + " " + EnumSet.complementOf(set) + " " + set.contains(Light.GREEN) + " " + EnumSet.allOf(Op.class));
        System.out.println(Arrays.asList(Light.values()).indexOf(Light.GREEN));
        System.out.println(Op.PLUS.getClass() == Op.class);
        Object o = Light.GREEN;
        System.out.println(o instanceof Enum<?> e && e.name().equals("GREEN"));
    }
}
