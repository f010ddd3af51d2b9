package java.lang;

/** What {@link Selvedge} needs of the real class, with the field that the agent adds to it. */
public class Thread {
    Selvedge $selvedge;

    public static native Thread currentThread();

    public static native boolean holdsLock(Object object);
}
