import java.util.List;

class Casts {
    static int cast(Object o) {
        if (o instanceof String s && s.length() > 2) return s.length();
        if (!(o instanceof int[] a)) return ((List<?>) o).size();
        Number n = a.length > 1 ? Integer.valueOf(3) : Long.valueOf(4);
        return a[0] + n.intValue();
    }

    static <T extends Comparable<T>> T max(List<T> list) {
        T best = null;
        for (T t : list) {
            if (best == null || t.compareTo(best) > 0) best = t;
        }
        return best;
    }
}
