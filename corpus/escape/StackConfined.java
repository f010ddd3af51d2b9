// A mutable point travels through several helper methods and is never stored: it stays with its thread.
package escape;

public class StackConfined {
    static class Point {
        int x;
        int y;
    }

    static void move(Point point, int by) {
        point.x += by; //~ NORACE: the caller's own point
        point.y -= by; //~ NORACE: the caller's own point
    }

    static int walk(int steps) {
        Point point = new Point();
        for (int i = 0; i < steps; i++) {
            move(point, i);
        }
        return point.x + point.y;
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> walk(10));
        other.start();
        System.out.println(walk(5));
        other.join();
    }
}
