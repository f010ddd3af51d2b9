package java.lang;

/** What {@link Selvedge} and {@link SelvedgeHold} need of the real class, with the field that the agent adds to it. */
public class Thread {
    Selvedge $selvedge;

    public enum State { NEW, RUNNABLE, BLOCKED, WAITING, TIMED_WAITING, TERMINATED }

    public static native Thread currentThread();

    public static native boolean holdsLock(Object object);

    public static native void sleep(long milliseconds) throws InterruptedException;

    public native void interrupt();

    public final native String getName();

    public final native ThreadGroup getThreadGroup();

    public native ClassLoader getContextClassLoader();

    public native State getState();
}
