// selvedge: library=open.FailureWithDetails
// An exception that carries more than a message. Its constructor runs that of Throwable, which keeps a
// reference to the new object in the object itself and asks it to fill in its stack trace. Nobody else learns
// of the object by that.
package open;

public class FailureWithDetails extends RuntimeException {
    private static final long serialVersionUID = 1;

    private String details;
    private int code;

    public FailureWithDetails(String message, String details, int code) {
        super(message);
        this.details = details; //~ NORACE: nobody knows the object before its constructor has returned
        this.code = code;
    }

    public String details() {
        return details; //~ NORACE: written only by the constructor
    }

    public int code() {
        return code;
    }
}
