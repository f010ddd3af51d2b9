// selvedge: library=atomics.StateMachineTooEarly
// As StateMachineByCas, but the state is RUNNING before the fields are written.
package atomics;

import java.util.concurrent.atomic.AtomicReference;

public class StateMachineTooEarly {
    enum State { NEW, RUNNING, STOPPED }

    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);
    private String address;

    public boolean start(String host) {
        if (!state.compareAndSet(State.NEW, State.RUNNING)) {
            return false;
        }
        address = host; //~ RACE
        return true;
    }

    public String where() {
        if (state.get() != State.RUNNING) {
            return "nowhere";
        }
        return address; //~ RACE
    }
}
