import java.util.Arrays;

/** Arrays of references: covariance and its store checks, casts of arrays, multi-dimensional and jagged arrays. */
public class ReferenceArrays {
    interface Shape {}

    static class Circle implements Shape {
        public String toString() { return "circle"; }
    }

    static class Square implements Shape, Cloneable {
        public String toString() { return "square"; }
    }

    static String store(Object[] array, Object value) {
        try {
            array[0] = value;
            return "stored " + value;
        } catch (ArrayStoreException e) {
            return "refused " + e.getMessage();
        }
    }

    public static void main(String[] args) {
        System.out.println(store(new Object[1], "s"));
        System.out.println(store(new String[1], "s"));
        System.out.println(store(new String[1], null));
        System.out.println(store(new Integer[1], "s"));
        System.out.println(store(new Shape[1], new Circle()));
        System.out.println(store(new Circle[1], new Square()));
        System.out.println(store(new Cloneable[1], new int[0]).startsWith("stored"));
        System.out.println(store(new Number[1][], new Integer[0]).startsWith("stored"));
        System.out.println(store(new Number[1][], new String[0]));
        int[][] grid = new int[3][4];
        grid[1][2] = 5;
        grid[2] = new int[]{9, 8};
        System.out.println(Arrays.deepToString(grid));
        int[][][] partial = new int[2][3][];
        partial[1][1] = grid[2];
        System.out.println(Arrays.deepToString(partial) + partial.getClass().getName());
        String[][] names = {{"a"}, {"b", "c"}, {}, null};
        System.out.println(Arrays.deepToString(names));
        long[][][] cube = new long[2][2][2];
        for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) for (int k = 0; k < 2; k++) cube[i][j][k] = i * 100 + j * 10 + k;
        System.out.println(Arrays.deepToString(cube));
        Object o = names;
        System.out.println((o instanceof Object[]) + " " + (o instanceof String[][]) + " " + (o instanceof Object[][]) + " " + (o instanceof String[]));
        System.out.println((o instanceof Cloneable) + " " + (o instanceof java.io.Serializable) + " " + (o instanceof Comparable));
        try {
            Integer[] wrong = (Integer[]) (Object) new Object[0];
        } catch (ClassCastException e) {
            System.out.println("class cast");
        }
        try {
            int[][] bad = new int[2][-1];
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        int[][] empty = new int[0][5];
        System.out.println(empty.length);
        Object[] boxes = {1, 'c', 2L, 1.5f, 2.5, true, "s", null, new int[]{1}.length};
        System.out.println(Arrays.toString(boxes) + Arrays.asList(boxes).indexOf("s"));
        Shape[] shapes = {new Circle(), new Square()};
        Shape[] more = Arrays.copyOf(shapes, 3);
        System.out.println(Arrays.toString(more) + more.getClass().getComponentType().getSimpleName());
    }
}
