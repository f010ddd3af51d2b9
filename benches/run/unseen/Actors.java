import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/** Actors with mailboxes on a pool of two threads: a ring that passes tokens, a bank with tellers, a sieve of primes. */
public class Actors {
    abstract static class Message {
        Actor from;
    }

    abstract static class Actor implements Runnable {
        private final ConcurrentLinkedQueue<Message> mailbox = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean scheduled = new AtomicBoolean();
        private final ExecutorService pool;
        protected int handled;

        Actor(ExecutorService pool) {
            this.pool = pool;
        }

        abstract void receive(Message message);

        final void send(Actor from, Message message) {
            message.from = from;
            mailbox.add(message);
            if (scheduled.compareAndSet(false, true)) pool.execute(this);
        }

        @Override
        public final void run() {
            for (int i = 0; i < 50; i++) {
                Message message = mailbox.poll();
                if (message == null) break;
                handled++;
                receive(message);
            }
            scheduled.set(false);
            if (!mailbox.isEmpty() && scheduled.compareAndSet(false, true)) pool.execute(this);
        }
    }

    static final class Token extends Message {
        final int left;
        final int[] path;

        Token(int left, int[] path) {
            this.left = left;
            this.path = path;
        }
    }

    static final class Link extends Actor {
        private final int number;
        private final CountDownLatch done;
        Link next;
        int checksum;

        Link(ExecutorService pool, int number, CountDownLatch done) {
            super(pool);
            this.number = number;
            this.done = done;
        }

        @Override
        void receive(Message message) {
            Token token = (Token) message;
            token.path[token.left % token.path.length] += number;
            checksum = checksum * 31 + token.left;
            if (token.left == 0) done.countDown();
            else next.send(this, new Token(token.left - 1, token.path));
        }
    }

    static final class Transfer extends Message {
        final String account;
        final int amount;

        Transfer(String account, int amount) {
            this.account = account;
            this.amount = amount;
        }
    }

    static final class Receipt extends Message {
        final boolean accepted;

        Receipt(boolean accepted) {
            this.accepted = accepted;
        }
    }

    static final class Account {
        final String name;
        long balance;
        int refused;
        final ArrayDeque<Integer> history = new ArrayDeque<>();

        Account(String name) {
            this.name = name;
        }

        boolean change(int amount) {
            if (balance + amount < 0) {
                refused++;
                return false;
            }
            balance += amount;
            history.addLast(amount);
            if (history.size() > 8) history.removeFirst();
            return true;
        }
    }

    static final class Branch extends Actor {
        final Map<String, Account> accounts = new HashMap<>();

        Branch(ExecutorService pool) {
            super(pool);
        }

        @Override
        void receive(Message message) {
            Transfer transfer = (Transfer) message;
            Account account = accounts.computeIfAbsent(transfer.account, Account::new);
            message.from.send(this, new Receipt(account.change(transfer.amount)));
        }
    }

    static final class Teller extends Actor {
        private final Branch branch;
        private final CountDownLatch done;
        private final String name;
        private int left;
        private int seed;
        int accepted;

        Teller(ExecutorService pool, Branch branch, String name, int left, CountDownLatch done) {
            super(pool);
            this.branch = branch;
            this.name = name;
            this.left = left;
            this.done = done;
            seed = name.hashCode();
        }

        void begin() {
            branch.send(this, new Transfer(name + 0, 100));
        }

        @Override
        void receive(Message message) {
            if (((Receipt) message).accepted) accepted++;
            if (--left == 0) {
                done.countDown();
                return;
            }
            seed = seed * 1103515245 + 12345;
            branch.send(this, new Transfer(name + (seed >>> 20) % 10, (seed >>> 8) % 200 - 90));
        }
    }

    static final class Number extends Message {
        final int value;

        Number(int value) {
            this.value = value;
        }
    }

    static final class Prime extends Actor {
        private final CountDownLatch done;
        private final int value;
        private final List<Integer> found;
        private Prime next;

        Prime(ExecutorService pool, int value, List<Integer> found, CountDownLatch done) {
            super(pool);
            this.value = value;
            this.done = done;
            this.found = found;
            synchronized (found) {
                found.add(value);
            }
        }

        @Override
        void receive(Message message) {
            int candidate = ((Number) message).value;
            if (candidate < 0) {
                if (next == null) done.countDown();
                else next.send(this, message);
            } else if (candidate % value != 0) {
                if (next == null) next = new Prime(super.pool, candidate, found, done);
                else next.send(this, new Number(candidate));
            }
        }
    }

    private static void ring(ExecutorService pool, int hops) throws InterruptedException {
        int tokens = 20;
        CountDownLatch done = new CountDownLatch(tokens);
        Link[] links = new Link[100];
        for (int i = 0; i < links.length; i++) links[i] = new Link(pool, i, done);
        for (int i = 0; i < links.length; i++) links[i].next = links[(i + 1) % links.length];
        int[][] paths = new int[tokens][16];
        for (int i = 0; i < tokens; i++) links[i * 5].send(null, new Token(hops, paths[i]));
        done.await();
        int sum = 0;
        for (int[] path : paths) sum = 31 * sum + java.util.Arrays.hashCode(path);
        System.out.println("ring " + sum);
    }

    private static void bank(ExecutorService pool, int transfers) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(10);
        Branch[] branches = {new Branch(pool), new Branch(pool), new Branch(pool)};
        List<Teller> tellers = new ArrayList<>();
        for (int i = 0; i < 10; i++) tellers.add(new Teller(pool, branches[i % 3], "t" + i + "/", transfers, done));
        for (Teller teller : tellers) teller.begin();
        done.await();
        long sum = 0;
        for (Teller teller : tellers) sum = 31 * sum + teller.accepted;
        System.out.println("bank " + sum);
    }

    private static void sieve(ExecutorService pool, int limit) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        List<Integer> found = new ArrayList<>();
        Prime first = new Prime(pool, 2, found, done);
        for (int i = 3; i < limit; i++) first.send(null, new Number(i));
        first.send(null, new Number(-1));
        done.await();
        synchronized (found) {
            System.out.println("primes " + found.size() + " " + found.get(found.size() - 1));
        }
    }

    public static void main(String[] args) throws Exception {
        int size = args.length > 0 ? Integer.parseInt(args[0]) : 10;
        ExecutorService pool = Executors.newFixedThreadPool(2);
        ring(pool, 1000 * size);
        bank(pool, 1000 * size);
        sieve(pool, 300 * size);
        pool.shutdown();
    }
}
