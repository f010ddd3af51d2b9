package java.lang;

public final class String implements java.io.Serializable, Comparable<String>, CharSequence {
    private final byte[] value;
    public String() { value = new byte[0]; }
    public int length() { return value.length; }
    public char charAt(int index) { return (char) value[index]; }
    public boolean isEmpty() { return value.length == 0; }
    public CharSequence subSequence(int from, int to) { return this; }
    public int compareTo(String other) { return value.length - other.value.length; }
    public String toString() { return this; }
    public String concat(String other) { return other.isEmpty() ? this : other; }
    public native String intern();
}
