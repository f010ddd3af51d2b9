// Arrays of one and more dimensions, of primitives, covariant stores, arraycopy, clone.
public class Arrays {
    static class A implements Cloneable {
        Object held;
        A copy() throws CloneNotSupportedException { return (A) clone(); }
    }

    static class B extends A {}

    static Object sink;

    public static void main(String[] arguments) throws CloneNotSupportedException {
        Object[] plain = new Object[2];
        plain[0] = new A();
        A[] typed = new B[2];
        Object[] covariant = typed;
        covariant[0] = plain[0];
        typed[1] = new B();
        Object[][] grid = new Object[2][3];
        grid[0][1] = new Integer(3);
        grid[1] = typed;
        sink = grid[0][0];
        int[][][] numbers = new int[1][2][3];
        int[] row = numbers[0][1];
        Object[] target = new Object[2];
        System.arraycopy(plain, 0, target, 0, 2);
        System.arraycopy(grid, 0, target, 0, 1);
        sink = target[0];
        Object[] copied = target.clone();
        sink = copied[1];
        Object[][] shallow = grid.clone();
        sink = shallow[0][1];
        A a = new A();
        a.held = row;
        sink = a.copy().held;
        Object[] nested = { new Object[] { new B() }, null };
        sink = ((Object[]) nested[0])[0];
        nested[1] = nested;
    }
}
