import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Simulates small 8-bit microcontrollers that send bytes to each other by radio; two threads with several of them each, in step. */
public class Avr {
    static final int LDI = 0, MOV = 1, ADD = 2, ADC = 3, SUB = 4, AND = 5, EOR = 6, INC = 7, DEC = 8, LSR = 9, LD = 10, ST = 11,
        BRNE = 12, BREQ = 13, RJMP = 14, RCALL = 15, RET = 16, PUSH = 17, POP = 18, OUT = 19, IN = 20, CPI = 21, SLEEP = 22, LPM = 23,
        MUL = 24;

    /** Assembles programs of the machine. */
    static final class Assembler {
        private final int[] code = new int[512];
        private int at;

        int here() {
            return at;
        }

        Assembler op(int op, int a, int b) {
            code[at++] = op << 16 | (a & 255) << 8 | b & 255;
            return this;
        }

        void patch(int place, int target) {
            code[place] = code[place] & 0xff0000 | target & 0xffff;
        }

        Assembler jump(int op, int target) {
            code[at++] = op << 16 | target & 0xffff;
            return this;
        }

        int[] program() {
            return java.util.Arrays.copyOf(code, at);
        }
    }

    /** Collects what the nodes send, and hands it out between the steps in the order of the nodes. */
    static final class Radio {
        private final List<Deque<Integer>> waiting = new ArrayList<>();
        private int sent;

        Radio(int nodes) {
            for (int i = 0; i < nodes; i++) waiting.add(new ArrayDeque<>());
        }

        synchronized void send(int from, int value) {
            waiting.get(from).addLast(value);
            sent++;
        }

        synchronized int receive(int who) {
            for (int from = 0; from < waiting.size(); from++) {
                Integer value = from == who ? null : waiting.get(from).pollFirst();
                if (value != null) return value;
            }
            return 0;
        }

        synchronized int sent() {
            return sent;
        }
    }

    static final class Node {
        private final int number;
        private final int[] program;
        private final byte[] registers = new byte[32];
        private final byte[] memory = new byte[4096];
        private final Radio radio;
        private int pc;
        private int sp = 4095;
        private boolean zero;
        private boolean carry;
        private boolean asleep;
        private int timer;
        private int inbox;
        long cycles;

        Node(int number, int[] program, Radio radio) {
            this.number = number;
            this.program = program;
            this.radio = radio;
            memory[16] = (byte) number;
        }

        private int pointer() {
            return (registers[26] & 255 | (registers[27] & 15) << 8) & 4095;
        }

        private void flags(int result) {
            zero = (result & 255) == 0;
        }

        private void add(int to, int a, int b, int with) {
            int sum = (a & 255) + (b & 255) + with;
            carry = sum > 255;
            registers[to] = (byte) sum;
            flags(sum);
        }

        private void push(int value) {
            memory[sp] = (byte) value;
            sp = sp - 1 & 4095;
        }

        private int pop() {
            sp = sp + 1 & 4095;
            return memory[sp] & 255;
        }

        void step() {
            cycles++;
            if (asleep) {
                if (++timer < 20) return;
                timer = 0;
                asleep = false;
            }
            int insn = program[pc];
            pc = pc + 1 == program.length ? 0 : pc + 1;
            int a = insn >> 8 & 255;
            int b = insn & 255;
            int target = insn & 0xffff;
            switch (insn >> 16) {
                case LDI: registers[a] = (byte) b; break;
                case MOV: registers[a] = registers[b]; break;
                case ADD: add(a, registers[a], registers[b], 0); break;
                case ADC: add(a, registers[a], registers[b], carry ? 1 : 0); break;
                case SUB:
                    carry = (registers[a] & 255) < (registers[b] & 255);
                    registers[a] -= registers[b];
                    flags(registers[a]);
                    break;
                case AND: registers[a] &= registers[b]; flags(registers[a]); break;
                case EOR: registers[a] ^= registers[b]; flags(registers[a]); break;
                case INC: registers[a]++; flags(registers[a]); break;
                case DEC: registers[a]--; flags(registers[a]); break;
                case LSR:
                    carry = (registers[a] & 1) != 0;
                    registers[a] = (byte) ((registers[a] & 255) >> 1);
                    flags(registers[a]);
                    break;
                case LD: registers[a] = memory[pointer() + b & 4095]; break;
                case ST: memory[pointer() + b & 4095] = registers[a]; break;
                case BRNE: if (!zero) pc = target; break;
                case BREQ: if (zero) pc = target; break;
                case RJMP: pc = target; break;
                case RCALL: push(pc); push(pc >> 8); pc = target; break;
                case RET: pc = pop() << 8; pc |= pop(); break;
                case PUSH: push(registers[a]); break;
                case POP: registers[a] = (byte) pop(); break;
                case OUT: radio.send(number, registers[a] & 255); cycles += 4; break;
                case IN: registers[a] = (byte) inbox; inbox = 0; flags(registers[a]); break;
                case CPI: carry = (registers[a] & 255) < b; flags(registers[a] - b); break;
                case SLEEP: asleep = true; break;
                case LPM: registers[a] = (byte) program[pointer() % program.length]; break;
                case MUL: registers[a] = (byte) (registers[a] * registers[b]); flags(registers[a]); break;
                default: throw new IllegalStateException("opcode " + (insn >> 16));
            }
        }

        void deliver() {
            int value = radio.receive(number);
            if (value != 0) inbox = value;
        }

        int checksum() {
            int sum = 0;
            for (byte b : memory) sum = sum * 31 + b;
            return sum;
        }
    }

    /** Fills a table with a pseudo-random walk, sums it up, and sends what comes out. */
    static int[] program() {
        Assembler asm = new Assembler();
        asm.op(LDI, 0, 1).op(LDI, 1, 29).op(LDI, 26, 64).op(LDI, 27, 0).op(LDI, 5, 0);
        int begin = asm.here();
        asm.op(IN, 2, 0).op(ADD, 0, 2).op(LDI, 3, 60).op(LDI, 26, 64);
        int fill = asm.here();
        asm.op(MUL, 0, 1).op(INC, 0, 0).op(LPM, 7, 0).op(EOR, 7, 0).op(ST, 7, 0).op(INC, 26, 0).op(DEC, 3, 0).jump(BRNE, fill);
        int call = asm.here();
        asm.jump(RCALL, 0).op(ST, 5, 3).op(CPI, 6, 200);
        int skip = asm.here();
        asm.jump(BRNE, 0).op(OUT, 5, 0).op(SLEEP, 0, 0);
        asm.patch(skip, asm.here());
        asm.op(INC, 6, 0).jump(RJMP, begin);
        asm.patch(call, asm.here());
        asm.op(LDI, 3, 60).op(LDI, 26, 64).op(PUSH, 0, 0).op(LDI, 5, 0);
        int sum = asm.here();
        asm.op(LD, 4, 0).op(ADD, 5, 4).op(LSR, 4, 0).op(ADC, 5, 4).op(INC, 26, 0).op(DEC, 3, 0).jump(BRNE, sum);
        asm.op(POP, 0, 0).op(RET, 0, 0);
        return asm.program();
    }

    public static void main(String[] args) throws Exception {
        int steps = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        int[] program = program();
        Node[] nodes = new Node[8];
        Radio radio = new Radio(nodes.length);
        for (int i = 0; i < nodes.length; i++) nodes[i] = new Node(i, program, radio);
        Node[] all = nodes;
        CyclicBarrier barrier = new CyclicBarrier(2, () -> {
            for (Node node : all) node.deliver();
        });
        Thread[] threads = new Thread[2];
        for (int t = 0; t < 2; t++) {
            int own = t;
            threads[t] = new Thread(() -> {
                try {
                    for (int step = 0; step < steps; step++) {
                        for (int i = own; i < all.length; i += 2) {
                            for (int k = 0; k < 2000; k++) all[i].step();
                        }
                        barrier.await();
                    }
                } catch (InterruptedException | BrokenBarrierException failure) {
                    throw new IllegalStateException(failure);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
        long cycles = 0;
        int hash = 0;
        for (Node node : nodes) {
            cycles += node.cycles;
            hash = 31 * hash + node.checksum();
        }
        System.out.println(radio.sent() + " sent, " + cycles + " cycles, " + hash);
    }
}
