// selvedge: library=open.StatelessFacade
// A facade without state of its own: locals, parameters and constants only.
package open;

public class StatelessFacade {
    private static final String[] UNITS = {"B", "kB", "MB"};
    private final int base;

    public StatelessFacade() {
        base = 1000;
    }

    public String format(long bytes) {
        StringBuilder text = new StringBuilder();
        int unit = 0;
        while (bytes >= base && unit < UNITS.length - 1) {
            bytes /= base;
            unit++;
        }
        text.append(bytes).append(' ').append(UNITS[unit]); //~ NORACE: a local builder, a constant table
        return text.toString();
    }
}
