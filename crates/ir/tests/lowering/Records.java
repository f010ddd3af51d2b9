record Records(int x, String name, long[] data) {
    Records {
        if (x < 0) throw new IllegalArgumentException("x is " + x);
    }
}
