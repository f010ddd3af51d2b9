/** Lets the threads of {@link Play} take turns. The agent is told not to look at this class, so that turns order nothing for it. */
final class Turn {
    private static volatile int turn;

    private Turn() {}

    static void begin() {
        turn = 0;
    }

    static void await(int number) {
        while (turn != number) Thread.yield();
    }

    static void next() {
        turn = turn + 1;
    }
}
