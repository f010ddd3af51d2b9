// Exceptions: own classes, finally, suppressed ones, resources, implicit ones of the JVM, rethrow, stack overflow.

import java.util.*;

public class Throwing {
    static class Problem extends Exception {
        final int code;
        Problem(String message, int code) { super(message); this.code = code; }
        @Override public String getMessage() { return super.getMessage() + "#" + code; }
    }

    static class Quick extends RuntimeException {
        @Override public synchronized Throwable fillInStackTrace() { return this; }
    }

    static class Resource implements AutoCloseable {
        private final String name;
        Resource(String name) { this.name = name; }
        @Override public void close() throws Problem { throw new Problem("close " + name, 2); }
    }

    static int depth;
    static void recurse() { depth++; recurse(); }

    static String implicit(int kind) {
        try {
            Object object = kind == 2 ? "text" : null;
            return switch (kind) {
                case 0 -> String.valueOf(1 / (kind * 1));
                case 1 -> object.toString();
                case 2 -> ((Integer) object).toString();
                case 3 -> "" + new int[1].clone()[kind];
                case 4 -> String.valueOf(new int[kind - 5].length);
                default -> { Object[] strings = new String[1]; strings[0] = 5; yield "stored"; }
            };
        } catch (ArithmeticException | NullPointerException | ClassCastException thrown) {
            return thrown.getClass().getSimpleName();
        } catch (RuntimeException other) {
            return "other " + other.getClass().getSimpleName();
        }
    }

    static int nested() {
        try {
            try {
                throw new Problem("inner", 1);
            } finally {
                depth = 0;
            }
        } catch (Problem problem) {
            return problem.code;
        } finally {
            depth++;
        }
    }

    static <E extends Throwable> void sneak(Throwable thrown) throws E {
        @SuppressWarnings("unchecked") E cast = (E) thrown;
        throw cast;
    }

    public static void main(String[] args) {
        for (int kind = 0; kind < 6; kind++) System.out.print(implicit(kind) + " ");
        System.out.println(nested() + " " + depth);
        try (Resource first = new Resource("a"); Resource second = new Resource("b")) {
            throw new IllegalStateException("body " + first.name + second.name);
        } catch (IllegalStateException | Problem thrown) {
            System.out.println(thrown.getMessage());
            for (Throwable suppressed : thrown.getSuppressed()) System.out.println("  " + suppressed.getMessage());
        }
        try {
            Throwing.<RuntimeException>sneak(new Problem("sneaked", 3));
        } catch (Exception thrown) {
            System.out.println(thrown.getMessage());
        }
        try {
            recurse();
        } catch (StackOverflowError deep) {
            System.out.println("deep " + (depth > 100));
        }
        try {
            throw new Problem("outer", 4).initCause(new Quick());
        } catch (Throwable thrown) {
            System.out.println(thrown.getCause() instanceof Quick);
            System.out.println(thrown.getStackTrace()[0].getMethodName());
        }
        try {
            List.of(1).iterator().remove();
        } catch (UnsupportedOperationException expected) {
            System.out.println("unsupported");
        }
    }
}
