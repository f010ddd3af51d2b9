import java.util.*;

/** A recursive-descent parser, a stack machine and an evaluator that must agree: a small real program. */
public class Calculator {
    private final String text;
    private int at;
    private final List<Instruction> code = new ArrayList<>();

    enum Kind { PUSH, ADD, SUB, MUL, DIV, NEG, CALL }

    static final class Instruction {
        final Kind kind;
        final double value;
        final String name;
        Instruction(Kind kind) { this(kind, 0, null); }
        Instruction(Kind kind, double value, String name) { this.kind = kind; this.value = value; this.name = name; }
        @Override public String toString() { return kind == Kind.PUSH ? "" + value : kind == Kind.CALL ? name : kind.name().toLowerCase(); }
    }

    static class SyntaxError extends RuntimeException {
        SyntaxError(String message, int at) { super(message + " at " + at); }
    }

    Calculator(String text) { this.text = text; }

    private char peek() {
        while (at < text.length() && text.charAt(at) == ' ') at++;
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private boolean accept(char c) {
        if (peek() != c) return false;
        at++;
        return true;
    }

    private double expression() {
        double value = term();
        for (;;) {
            if (accept('+')) { value += term(); code.add(new Instruction(Kind.ADD)); }
            else if (accept('-')) { value -= term(); code.add(new Instruction(Kind.SUB)); }
            else return value;
        }
    }

    private double term() {
        double value = factor();
        while (true) {
            if (accept('*')) { value *= factor(); code.add(new Instruction(Kind.MUL)); }
            else if (accept('/')) { value /= factor(); code.add(new Instruction(Kind.DIV)); }
            else return value;
        }
    }

    private double factor() {
        if (accept('-')) { double v = -factor(); code.add(new Instruction(Kind.NEG)); return v; }
        if (accept('(')) {
            double v = expression();
            if (!accept(')')) throw new SyntaxError("expected )", at);
            return v;
        }
        int start = at;
        if (Character.isLetter(peek())) {
            start = at;
            while (Character.isLetter(peek())) at++;
            String name = text.substring(start, at);
            double v = factor();
            code.add(new Instruction(Kind.CALL, 0, name));
            return call(name, v);
        }
        start = at;
        while (Character.isDigit(peek()) || peek() == '.') at++;
        if (start == at) throw new SyntaxError("unexpected '" + (peek() == '\0' ? "end" : peek()) + "'", at);
        double v = Double.parseDouble(text.substring(start, at));
        code.add(new Instruction(Kind.PUSH, v, null));
        return v;
    }

    private double call(String name, double v) {
        switch (name) {
            case "sqrt": return Math.sqrt(v);
            case "abs": return Math.abs(v);
            case "sq": return v * v;
            default: throw new SyntaxError("no function " + name, at);
        }
    }

    double run() {
        Deque<Double> stack = new ArrayDeque<>();
        for (Instruction i : code) {
            switch (i.kind) {
                case PUSH -> stack.push(i.value);
                case NEG -> stack.push(-stack.pop());
                case CALL -> stack.push(call(i.name, stack.pop()));
                default -> {
                    double b = stack.pop(), a = stack.pop();
                    stack.push(switch (i.kind) { case ADD -> a + b; case SUB -> a - b; case MUL -> a * b; case DIV -> a / b; default -> throw new AssertionError(); });
                }
            }
        }
        return stack.pop();
    }

    public static void main(String[] args) {
        for (String s : new String[]{"1+2*3", "(1+2)*3", "-4 - -5", "sqrt(2)*sqrt 2", "1/0", "sq(3+abs(-2))/4", "2*(3", "7 $ 2", "foo(1)", "10/4/5", "3.25*1.5.2"}) {
            try {
                Calculator c = new Calculator(s);
                double v = c.expression();
                if (c.peek() != '\0') throw new SyntaxError("trailing " + c.peek(), c.at);
                System.out.println(s + " = " + v + " " + (v == c.run()) + " " + c.code);
            } catch (SyntaxError | NumberFormatException e) {
                System.out.println(s + ": " + e.getMessage());
            }
        }
    }
}
