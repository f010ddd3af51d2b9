// selvedge: library=open.FailureThatRegisters
// The racy twin: the exception makes itself known while it is constructed.
package open;

public class FailureThatRegisters extends RuntimeException {
    private static final long serialVersionUID = 1;

    private static volatile FailureThatRegisters last;

    private String details;

    public FailureThatRegisters(String message, String details) {
        super(message);
        last = this;
        this.details = details; //~ RACE
    }

    public static String lastDetails() {
        FailureThatRegisters failure = last;
        return failure == null ? "" : failure.details; //~ RACE
    }
}
