package java.lang;

public class Throwable implements java.io.Serializable {
    private String message;
    private Throwable cause;
    public Throwable() {}
    public Throwable(String message) { this.message = message; }
    public Throwable(String message, Throwable cause) { this.message = message; this.cause = cause; }
    public String getMessage() { return message; }
    public Throwable getCause() { return cause; }
    public final void addSuppressed(Throwable other) {}
}
