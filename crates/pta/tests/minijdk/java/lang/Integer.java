package java.lang;

public final class Integer extends Number implements Comparable<Integer> {
    private final int value;
    public Integer(int value) { this.value = value; }
    public static Integer valueOf(int value) { return new Integer(value); }
    public int intValue() { return value; }
    public int compareTo(Integer other) { return value - other.value; }
}
