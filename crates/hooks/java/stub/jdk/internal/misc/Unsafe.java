package jdk.internal.misc;

/** What {@code Selvedge} needs of the real class. */
public final class Unsafe {
    private Unsafe() {}

    public static native Unsafe getUnsafe();

    public native long objectFieldOffset(Class<?> declaring, String field);

    public native long objectFieldOffset(java.lang.reflect.Field field);

    public native long staticFieldOffset(java.lang.reflect.Field field);

    public native void loadFence();

    public native void storeFence();

    public native long getLong(Object object, long offset);

    public native void putLong(Object object, long offset, long value);

    public native Object getReference(Object object, long offset);

    public native void putReference(Object object, long offset, Object value);

    public native int getInt(long address);

    public native int getInt(Object object, long offset);

    public native boolean compareAndSetReference(Object object, long offset, Object expected, Object value);

    public native boolean compareAndSetLong(Object object, long offset, long expected, long value);

    public native long getAndSetLong(Object object, long offset, long value);
}
