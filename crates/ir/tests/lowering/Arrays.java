class Arrays {
    static int all(boolean[] z, byte[] b, char[] c, short[] s, int[] i, long[] l, float[] f, double[] d, Object[] o) {
        z[0] = true;
        b[1] = (byte) 300;
        c[2] = 'x';
        s[3] = c[2] > 5 ? b[1] : s[0];
        i[4] += 7;
        l[5] = i[4]++;
        f[6] *= 2;
        d[7] = l[5] + f[6];
        o[8] = o;
        return z[0] ? (int) d[7] : o.length;
    }

    static long[][][] make(int n) {
        long[][][] cube = new long[n][2][];
        int[] list = {1, 2, n};
        String[][] names = new String[n][];
        names[0] = new String[] {"a", null};
        cube[0][1] = new long[list.length];
        cube[0][1][0]--;
        return names[0][1] == null ? cube : cube.clone();
    }
}
