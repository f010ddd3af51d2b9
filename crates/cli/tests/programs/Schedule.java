/** The accesses of one schedule; what each does to which elements the test knows. */
final class Schedule implements Play.Code {
    static int sink;

    static final int[][] STEPS = {};

    public static void main(String[] args) throws InterruptedException {
        Play.play(STEPS, LENGTH, new Schedule());
    }

    @Override
    public void access(int what, int[] array, Play.Pair pair, int from, int to) {
        switch (what) {
            case 2 -> sum(array, from, to);
            case 3 -> fill(array, from, to);
            case 4 -> sumOfEverySecond(array, from, to);
            case 5 -> fillEverySecond(array, from, to);
            case 6 -> sumOfNeighbours(array, from, to);
            case 7 -> fillTriples(array, from, to);
            case 8 -> sumBackwards(array, from, to);
            case 9 -> sumUntil(array, from, to);
            case 10 -> sumToTheEnd(array, from);
            case 11 -> array[from] = to;
            case 12 -> fillOne(array, from, to);
            case 13 -> changeX(pair, to);
            case 14 -> readY(pair, to);
            case 15 -> pair.y = to;
            case 16 -> moveDown(array, from, to);
            case 17 -> rows(array, from, to);
            default -> throw new IllegalArgumentException();
        }
    }

    static int sum(int[] array, int from, int to) {
        int sum = 0;
        for (int i = from; i < to; i++) sum += array[i];
        return sum;
    }

    static void fill(int[] array, int from, int to) {
        for (int i = from; i < to; i++) array[i] = i;
    }

    static int sumOfEverySecond(int[] array, int from, int to) {
        int sum = 0;
        for (int i = from; i < to; i += 2) sum += array[i];
        return sum;
    }

    static void fillEverySecond(int[] array, int from, int to) {
        for (int i = from; i < to; i += 2) array[i] = i;
    }

    static int sumOfNeighbours(int[] array, int from, int to) {
        int sum = 0;
        for (int i = from + 1; i < to - 1; i += 2) sum += array[i - 1] + array[i + 1];
        return sum;
    }

    static void fillTriples(int[] array, int from, int to) {
        for (int i = from / 3; i < to / 3; i++) {
            array[3 * i + 2] = i;
            array[3 * i] = i;
            array[3 * i + 1] = i;
        }
    }

    static int sumBackwards(int[] array, int from, int to) {
        int sum = 0;
        for (int i = to - 1; i >= from; i--) sum += array[i];
        return sum;
    }

    /** Leaves the loop in the middle of an iteration, with the first of two accesses done. */
    static int sumUntil(int[] array, int from, int to) {
        int sum = 0;
        for (int i = from; i < array.length - 1; i++) {
            sum += array[i];
            if (i == to) return sum;
            array[i + 1] = sum;
        }
        return sum;
    }

    /** Leaves the loop by an exception. */
    static int sumToTheEnd(int[] array, int from) {
        int sum = 0;
        try {
            for (int i = from; ; i++) sum += array[i];
        } catch (ArrayIndexOutOfBoundsException end) {
            return sum;
        }
    }

    static void fillOne(int[] array, int from, int to) {
        for (int i = from; i < to; i++) array[from] = i;
    }

    static void changeX(Play.Pair pair, int times) {
        for (int i = 0; i < times; i++) pair.x += i;
    }

    static int readY(Play.Pair pair, int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) {
            if (i % 2 == 1) sum += pair.y;
        }
        return sum;
    }

    static synchronized void moveDown(int[] array, int from, int to) {
        for (int i = from; i < to - 1; i++) array[i] = array[i + 1];
    }

    static int rows(int[] array, int from, int to) {
        int sum = 0;
        for (int row = from; row < to; row++) {
            for (int i = row; i < to; i++) sum += array[i];
        }
        return sum;
    }
}
