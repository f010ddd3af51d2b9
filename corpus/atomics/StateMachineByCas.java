// selvedge: library=atomics.StateMachineByCas
// A life cycle in an atomic reference: only who moves NEW to STARTING sets up, and sets RUNNING when the fields are
// written; others read the fields only in state RUNNING.
package atomics;

import java.util.concurrent.atomic.AtomicReference;

public class StateMachineByCas {
    enum State { NEW, STARTING, RUNNING, STOPPED }

    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);
    private String address;
    private int port;

    public boolean start(String host, int number) {
        if (!state.compareAndSet(State.NEW, State.STARTING)) {
            return false;
        }
        address = host; //~ RACE spurious: only the winner writes, before the state says so; states are not followed
        port = number; //~ RACE spurious: only the winner writes, before the state says so; states are not followed
        state.set(State.RUNNING);
        return true;
    }

    public String where() {
        if (state.get() != State.RUNNING) {
            return "nowhere";
        }
        return address + ":" + port; //~ RACE spurious: written before the state was set; states are not followed
    }

    public boolean stop() {
        return state.compareAndSet(State.RUNNING, State.STOPPED);
    }
}
