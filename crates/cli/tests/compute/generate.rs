//! Compute-heavy Java programs from a seed, for the JIT compilers under the agent.
//!
//! A program has particles with fields of every type, methods with nested loops over the fields of many of them, arrays, calls, exceptions,
//! switches and lambdas, and two threads that work in phases: each writes to the particles of its own half and to its own arrays, and reads of
//! others only what was written before the phase began. So there is no race, and what a program prints depends on the seed alone.

use selvedge_testkit::Rng;

/// The parts of every program: particles, and what drives the phases.
const FRAME: &str = r#"
interface Rule { long apply(long value, Particle p); }

class Particle {
    double x, y, z, fx, fy, fz;
    double oldX, oldY, oldZ;
    int a, b;
    long wide, oldWide;
    float slight;
    short brief;
    byte small;
    char sign;
    boolean marked;
    int[] cells = new int[8];
    Particle next;

    Particle(int number) {
        x = number * 0.5; y = number * 0.25; z = -number;
        a = number; b = number * 7; wide = number * 31L;
        for (int i = 0; i < cells.length; i++) cells[i] = i * number;
    }

    int mix(int by) { return a * by + b; }

    void keep() { oldX = x; oldY = y; oldZ = z; oldWide = wide; }

    long hash() {
        long sum = Double.doubleToLongBits(x + y * 3 + z * 5 + fx + fy + fz) ^ wide;
        for (int cell : cells) sum = sum * 31 + cell;
        return sum + a + b + (long) slight + brief + small + sign + (marked ? 1 : 0);
    }
}

class Heavy extends Particle {
    Heavy(int number) { super(number); }

    @Override int mix(int by) { return a - by * b; }
}

class Failure extends RuntimeException {
    final int code;

    Failure(int code) { super(null, null, false, false); this.code = code; }
}

public class NAME {
    static final int COUNT = 96;
    static final int[] TABLE = new int[256];
    static final Rule[] RULES = {
        (value, p) -> value + p.a, (value, p) -> value ^ p.wide, (value, p) -> value * 31 + p.mix((int) value & 15), (value, p) -> { p.b++; return value - p.b; }
    };

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < TABLE.length; i++) TABLE[i] = i * 37 & 255;
        Particle[] all = new Particle[COUNT];
        for (int i = 0; i < COUNT; i++) all[i] = i % 3 == 0 ? new Heavy(i) : new Particle(i);
        for (int i = 0; i < COUNT; i++) all[i].next = all[i / 48 * 48 + (i * 5 + 1) % 48];
        long[] sums = new long[2];
        for (int phase = 0; phase < PHASES; phase++) {
            for (Particle p : all) p.keep();
            Thread[] threads = new Thread[2];
            for (int t = 0; t < 2; t++) {
                int half = t;
                threads[t] = new Thread(() -> sums[half] += work(all, half * 48, half * 48 + 48));
                threads[t].start();
            }
            for (Thread thread : threads) thread.join();
        }
        long sum = sums[0] * 31 + sums[1];
        for (Particle p : all) sum = sum * 31 + p.hash();
        System.out.println(sum);
    }
"#;

/// The source of a program and its class's name.
pub fn program(seed: u64) -> (String, String) {
    let name = format!("Compute{seed}");
    let mut generator =
        Generator { rng: Rng::new(seed), text: String::new(), depth: 0, loops: 0, variables: 0 };
    let methods = 4 + generator.rng.below(4);
    for number in 0..methods {
        generator.method(number);
    }
    generator
        .text
        .push_str("\n    static long work(Particle[] all, int from, int to) {\n        long sum = 0;\n");
    for number in 0..methods {
        generator.text.push_str(&format!("        sum = sum * 31 + m{number}(all, from, to, 3);\n"));
    }
    generator.text.push_str("        return sum;\n    }\n}\n");
    let phases = 5 + generator.rng.below(8);
    let frame = FRAME.replace("NAME", &name).replace("PHASES", &phases.to_string());
    (name, frame + &generator.text)
}

struct Generator {
    rng: Rng,
    text: String,
    /// How many blocks are open.
    depth: usize,
    /// How many loops are open inside that over the own particles.
    loops: usize,
    /// How many variables there are.
    variables: usize,
}

impl Generator {
    fn line(&mut self, text: &str) {
        self.text.push_str(&"    ".repeat(self.depth + 1));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    /// A method: a loop over the own particles with statements, some of them loops over all.
    fn method(&mut self, number: usize) {
        self.text.push('\n');
        self.open(&format!("static long m{number}(Particle[] all, int from, int to, int deep) {{"));
        self.line("long sum = deep; double real = 0.5; int count = from;");
        self.line(
            "int[] own = new int[64]; double[] reals = new double[32]; long[][] grid = new long[8][8];",
        );
        if self.rng.one_in(3) {
            self.forces();
        }
        self.open("for (int i = from; i < to; i++) {");
        self.line("Particle p = all[i];");
        for _ in 0..2 + self.rng.below(5) {
            self.statement();
        }
        if number > 0 && self.rng.one_in(2) {
            let callee = self.rng.below(number);
            self.line(&format!("if (deep > 0 && (i & 31) == 7) sum += m{callee}(all, i, i + 1, deep - 1);"));
        }
        self.close();
        self.line("return sum + (long) real + count + own[3] + (long) reals[5] + grid[2][3];");
        self.close();
    }

    /// Every own particle with every other, as in molecular dynamics: a long inner loop over fields of many objects.
    fn forces(&mut self) {
        self.open("for (int i = from; i < to; i++) {");
        self.line("Particle p = all[i];");
        self.line("double sumX = 0, sumY = 0, sumZ = 0;");
        self.open("for (int j = 0; j < all.length; j++) {");
        self.line("Particle q = all[j];");
        self.line("double dx = p.oldX - q.oldX, dy = p.oldY - q.oldY, dz = p.oldZ - q.oldZ;");
        self.line("if (dx < -40) dx += 80;");
        self.line("if (dx > 40) dx -= 80;");
        self.line("if (dy < -40) dy += 80;");
        self.line("if (dz > 40) dz -= 80;");
        self.line("double square = dx * dx + dy * dy + dz * dz + 1;");
        self.open("if (square < 4000) {");
        self.line("double force = 1 / square - 0.001;");
        self.line("sumX += dx * force; sumY += dy * force; sumZ += dz * force;");
        self.line("p.fx += dx * force; p.fy += dy * force; p.fz += dz * force;");
        self.line("count++;");
        self.close();
        self.close();
        self.line("p.x += sumX * 0.01; p.y += sumY * 0.01; p.z += sumZ * 0.01;");
        self.close();
    }

    fn statement(&mut self) {
        let simple = self.depth > 5 || self.loops > 1;
        match self.rng.below(if simple { 12 } else { 18 }) {
            0 => self.line("p.a += i; p.b ^= p.a;"),
            1 => self.line("p.wide = p.wide * 31 + p.oldWide + sum;"),
            2 => self.line("real += p.oldX * 0.5 - p.y; p.fx = real * 0.125;"),
            3 => self.line("p.cells[count & 7] += (int) sum; own[p.cells[3] & 63]++;"),
            4 => self.line("sum += own[count & 63] + p.cells[(int) sum & 7];"),
            5 => self.line("p.slight += p.small; p.brief += p.a; p.small++; p.sign += 3;"),
            6 => self.line("p.marked = !p.marked; if (p.marked) count++; else sum--;"),
            7 => self.line("reals[count & 31] += p.oldZ; real = real * 0.5 + reals[i & 31];"),
            8 => self.line("sum = RULES[count & 3].apply(sum, p);"),
            9 => self.line("sum += p.mix(count) + p.next.cells.length;"),
            10 => self.line("grid[count & 7][i & 7] += sum; sum ^= grid[i & 7][count & 7];"),
            11 => self.line("sum += TABLE[(int) sum & 255] + all[(int) (sum & 63)].oldWide; count += 3;"),
            12 => self.counted(),
            13 => self.others(),
            14 => self.switched(),
            15 => self.caught(),
            16 => self.chased(),
            _ => self.branched(),
        }
    }

    fn block(&mut self, statements: usize) {
        for _ in 0..=self.rng.below(statements) {
            self.statement();
        }
        self.close();
    }

    /// A variable of its own name.
    fn variable(&mut self) -> String {
        self.variables += 1;
        format!("v{}", self.variables)
    }

    fn counted(&mut self) {
        let variable = self.variable();
        let bound = 4 + self.rng.below(24);
        let step = 1 + self.rng.below(2);
        let head = match self.rng.below(3) {
            0 => format!("for (int {variable} = {bound}; {variable} > 0; {variable} -= {step}) {{"),
            1 => format!("for (long {variable} = 0; {variable} < {bound}; {variable}++) {{"),
            _ => format!("for (int {variable} = 0; {variable} < {bound}; {variable} += {step}) {{"),
        };
        self.loops += 1;
        self.open(&head);
        self.line(&format!("count += (int) {variable};"));
        self.block(3);
        self.loops -= 1;
    }

    /// A loop over what all particles were before the phase.
    fn others(&mut self) {
        let variable = self.variable();
        self.loops += 1;
        self.open(&format!("for (Particle {variable} : all) {{"));
        self.line(&format!("real += {variable}.oldX - {variable}.oldY; sum += {variable}.oldWide;"));
        if self.rng.one_in(2) {
            self.line(&format!("if ({variable}.oldZ > p.z) continue;"));
        }
        self.block(2);
        self.loops -= 1;
    }

    fn switched(&mut self) {
        self.open("switch ((int) (sum ^ count) & 3) {");
        for case in 0..3 {
            self.open(&format!("case {case}: {{"));
            self.statement();
            if case != 1 {
                self.line("break;");
            }
            self.close();
        }
        self.open("default: {");
        self.block(2);
        self.close();
    }

    fn caught(&mut self) {
        self.open("try {");
        self.line("if ((count & 15) == 3) throw new Failure(count);");
        if self.rng.one_in(2) {
            self.line("sum += own[(int) (sum & 127)];");
        }
        self.block(2);
        let last = self.text.trim_end().len();
        self.text.truncate(last);
        let kept = if self.rng.one_in(2) { " finally { p.a++; }" } else { "" };
        self.text.push_str(&format!(
            " catch (Failure e) {{ sum += e.code; }} catch (ArrayIndexOutOfBoundsException e) {{ count++; }}{kept}\n"
        ));
    }

    /// A walk along references: each thread's particles refer to one another.
    fn chased(&mut self) {
        let (variable, step) = (self.variable(), self.variable());
        self.line(&format!("Particle {variable} = p;"));
        self.loops += 1;
        self.open(&format!("for (int {step} = 0; {step} < 12; {step}++) {{"));
        self.line(&format!("{variable}.b += {step}; sum += {variable}.wide; {variable} = {variable}.next;"));
        self.block(1);
        self.loops -= 1;
    }

    fn branched(&mut self) {
        self.open("if ((sum & 1) == 0 || p.marked && count > 5) {");
        self.block(2);
        self.open("else {");
        self.block(2);
    }
}
