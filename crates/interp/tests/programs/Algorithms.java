import java.util.*;

/** Small classics: sieve, queens, life, matrix product, edit distance, knapsack, Dijkstra, permutations, Hanoi. */
public class Algorithms {
    static int sieve(int n) {
        boolean[] composite = new boolean[n + 1];
        int count = 0;
        for (int i = 2; i <= n; i++) {
            if (composite[i]) continue;
            count++;
            for (long j = (long) i * i; j <= n; j += i) composite[(int) j] = true;
        }
        return count;
    }

    static int queens(int n, int row, int cols, int d1, int d2) {
        if (row == n) return 1;
        int count = 0;
        for (int free = ~(cols | d1 | d2) & (1 << n) - 1; free != 0; free &= free - 1) {
            int bit = free & -free;
            count += queens(n, row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
        }
        return count;
    }

    static boolean[][] life(boolean[][] cells) {
        int h = cells.length, w = cells[0].length;
        boolean[][] next = new boolean[h][w];
        for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++)
                if ((dy != 0 || dx != 0) && cells[(y + dy + h) % h][(x + dx + w) % w]) n++;
            next[y][x] = n == 3 || n == 2 && cells[y][x];
        }
        return next;
    }

    static double[][] multiply(double[][] a, double[][] b) {
        double[][] c = new double[a.length][b[0].length];
        for (int i = 0; i < a.length; i++) for (int j = 0; j < b[0].length; j++) for (int k = 0; k < b.length; k++) c[i][j] += a[i][k] * b[k][j];
        return c;
    }

    static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) for (int j = 0; j <= b.length(); j++)
            d[i][j] = i == 0 ? j : j == 0 ? i : Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1));
        return d[a.length()][b.length()];
    }

    static void permute(char[] c, int k, List<String> out) {
        if (k == c.length) { out.add(new String(c)); return; }
        for (int i = k; i < c.length; i++) {
            char t = c[k]; c[k] = c[i]; c[i] = t;
            permute(c, k + 1, out);
            t = c[k]; c[k] = c[i]; c[i] = t;
        }
    }

    static int hanoi(int n, char a, char b, char c) {
        return n == 0 ? 0 : hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a);
    }

    static int[] dijkstra(int[][][] graph, int from) {
        int[] dist = new int[graph.length];
        Arrays.fill(dist, Integer.MAX_VALUE);
        dist[from] = 0;
        PriorityQueue<int[]> queue = new PriorityQueue<>(Comparator.comparingInt(e -> e[1]));
        queue.add(new int[]{from, 0});
        while (!queue.isEmpty()) {
            int[] e = queue.poll();
            if (e[1] > dist[e[0]]) continue;
            for (int[] edge : graph[e[0]]) {
                int d = e[1] + edge[1];
                if (d < dist[edge[0]]) { dist[edge[0]] = d; queue.add(new int[]{edge[0], d}); }
            }
        }
        return dist;
    }

    public static void main(String[] args) {
        System.out.println(sieve(3000) + " " + queens(6, 0, 0, 0, 0) + " " + queens(7, 0, 0, 0, 0) + " " + hanoi(9, 'a', 'b', 'c'));
        boolean[][] cells = new boolean[8][10];
        for (int[] p : new int[][]{{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}) cells[p[0]][p[1]] = true;
        for (int i = 0; i < 10; i++) cells = life(cells);
        for (boolean[] row : cells) {
            StringBuilder sb = new StringBuilder();
            for (boolean c : row) sb.append(c ? '#' : '.');
            System.out.println(sb);
        }
        System.out.println(Arrays.deepToString(multiply(new double[][]{{1, 2.5}, {3, 4}}, new double[][]{{0.5, -1}, {1, 1e-3}})));
        System.out.println(distance("kitten", "sitting") + " " + distance("intention", "execution"));
        List<String> perms = new ArrayList<>();
        permute("abcd".toCharArray(), 0, perms);
        System.out.println(perms.size() + " " + perms.get(23) + " " + new TreeSet<>(perms).last());
        int[][][] graph = {{{1, 7}, {2, 9}, {5, 14}}, {{0, 7}, {2, 10}, {3, 15}}, {{3, 11}, {5, 2}}, {{4, 6}}, {}, {{4, 9}}, {}};
        System.out.println(Arrays.toString(dijkstra(graph, 0)));
        int[] w = {1, 3, 4, 5}, v = {1, 4, 5, 7};
        int[] best = new int[8];
        for (int i = 0; i < w.length; i++) for (int c = 7; c >= w[i]; c--) best[c] = Math.max(best[c], best[c - w[i]] + v[i]);
        System.out.println(best[7]);
    }
}
