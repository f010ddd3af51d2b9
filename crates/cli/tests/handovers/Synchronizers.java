import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/** Hand-over through latches, barriers, phasers, semaphores and synchronizers of one's own. */
final class Synchronizers {
    /** Two threads work on halves that change hands at each phase. */
    private static void phases(int n, Suite.Body wait) throws Exception {
        Suite.Box[] halves = {new Suite.Box(), new Suite.Box()};
        Suite.pair(n, i -> {
            halves[i & 1].value++;
            halves[i & 1].cells[1]++;
            wait.run();
        }, i -> {
            halves[i + 1 & 1].value++;
            halves[i + 1 & 1].cells[1]++;
            wait.run();
        });
        Suite.check(halves[0].value + halves[1].value == 2 * n);
    }

    @Suite.Safe
    static void countDownLatch(int n) throws Exception {
        for (int round = 0; round < n / 100; round++) {
            CountDownLatch[] latches = new CountDownLatch[201];
            for (int i = 0; i < latches.length; i++) latches[i] = new CountDownLatch(1);
            latches[0].countDown();
            Suite.turns(100, new Suite.IntTurn() {
                @Override
                public void await(int number) throws Exception {
                    if ((number & 2) == 0) latches[number].await();
                    else Suite.check(latches[number].await(20, TimeUnit.SECONDS));
                }

                @Override
                public void pass(int number) {
                    latches[number].countDown();
                }
            });
        }
    }

    @Suite.Safe
    static void countDownLatchOfMany(int n) throws Exception {
        for (int round = 0; round < Math.max(1, n / 100); round++) {
            CountDownLatch done = new CountDownLatch(4);
            Suite.Box[] boxes = {new Suite.Box(), new Suite.Box(), new Suite.Box(), new Suite.Box()};
            Suite.Body[] bodies = new Suite.Body[5];
            for (int i = 0; i < 4; i++) {
                Suite.Box box = boxes[i];
                bodies[i] = () -> {
                    box.value = 7;
                    done.countDown();
                };
            }
            bodies[4] = () -> {
                done.await();
                for (Suite.Box box : boxes) Suite.check(box.value == 7);
            };
            Suite.together(bodies);
        }
    }

    @Suite.Safe
    static void cyclicBarrier(int n) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        phases(n, barrier::await);
    }

    @Suite.Safe
    static void cyclicBarrierAction(int n) throws Exception {
        Suite.Box sum = new Suite.Box();
        Suite.Box[] parts = {new Suite.Box(), new Suite.Box()};
        CyclicBarrier barrier = new CyclicBarrier(2, () -> sum.value += parts[0].value + parts[1].value);
        Suite.pair(n, i -> {
            parts[0].value = sum.value & 1;
            barrier.await(20, TimeUnit.SECONDS);
        }, i -> {
            parts[1].value = 1;
            barrier.await();
            Suite.check(sum.value > i);
        });
    }

    @Suite.Safe
    static void phaser(int n) throws Exception {
        Phaser phaser = new Phaser(2);
        phases(n, phaser::arriveAndAwaitAdvance);
    }

    @Suite.Safe
    static void phaserArriveAndAwait(int n) throws Exception {
        Phaser phaser = new Phaser(1);
        Suite.Box[] boxes = new Suite.Box[n];
        for (int i = 0; i < n; i++) boxes[i] = new Suite.Box();
        Suite.pair(n, i -> {
            boxes[i].value = i;
            phaser.arrive();
        }, i -> {
            phaser.awaitAdvance(i);
            Suite.check(boxes[i].value == i);
            boxes[i].value = 0;
        });
    }

    @Suite.Safe
    static void phaserOnAdvance(int n) throws Exception {
        Suite.Box[] parts = {new Suite.Box(), new Suite.Box(), new Suite.Box()};
        Phaser phaser = new Phaser(2) {
            @Override
            protected boolean onAdvance(int phase, int registered) {
                parts[2].value += parts[0].value + parts[1].value;
                return false;
            }
        };
        Suite.pair(n, i -> {
            parts[0].value = parts[2].value & 3;
            phaser.arriveAndAwaitAdvance();
        }, i -> {
            parts[1].value = 1;
            phaser.awaitAdvanceInterruptibly(phaser.arrive());
        });
    }

    @Suite.Safe
    static void phaserTiered(int n) throws Exception {
        Phaser root = new Phaser();
        Phaser left = new Phaser(root, 1);
        Phaser right = new Phaser(root, 1);
        Suite.Box[] halves = {new Suite.Box(), new Suite.Box()};
        Suite.pair(n, i -> {
            halves[i & 1].value++;
            left.arriveAndAwaitAdvance();
        }, i -> {
            halves[i + 1 & 1].value++;
            right.arriveAndAwaitAdvance();
        });
    }

    @Suite.Safe
    static void phaserDeregister(int n) throws Exception {
        for (int round = 0; round < Math.max(1, n / 50); round++) {
            Phaser phaser = new Phaser(2);
            Suite.Box box = new Suite.Box();
            Suite.together(() -> {
                box.value = 3;
                phaser.arriveAndDeregister();
            }, () -> {
                phaser.arriveAndAwaitAdvance();
                Suite.check(box.value == 3);
            });
        }
    }

    private static void semaphores(int n, boolean fair) throws Exception {
        Semaphore one = new Semaphore(1, fair);
        Suite.sections(n, body -> {
            one.acquire();
            try {
                body.run();
            } finally {
                one.release();
            }
        });
        Semaphore there = new Semaphore(0, fair);
        Semaphore back = new Semaphore(0, fair);
        Suite.Box box = new Suite.Box();
        Suite.pair(n, i -> {
            box.value++;
            there.release(3);
            back.acquireUninterruptibly();
        }, i -> {
            there.acquire(3);
            Suite.check(box.value == 2 * i + 1);
            box.value++;
            back.release();
        });
    }

    @Suite.Safe
    static void semaphore(int n) throws Exception {
        semaphores(n, false);
    }

    @Suite.Safe
    static void semaphoreFair(int n) throws Exception {
        semaphores(n, true);
    }

    @Suite.Safe
    static void semaphoreTry(int n) throws Exception {
        Semaphore one = new Semaphore(1);
        Suite.sections(n, body -> {
            while (!one.tryAcquire()) {
                if (one.tryAcquire(1, TimeUnit.SECONDS)) break;
            }
            body.run();
            one.release();
        });
    }

    private static final class Mutex extends AbstractQueuedSynchronizer {
        @Override
        protected boolean tryAcquire(int ignored) {
            return compareAndSetState(0, 1);
        }

        @Override
        protected boolean tryRelease(int ignored) {
            setState(0);
            return true;
        }
    }

    @Suite.Safe
    static void ownSynchronizer(int n) throws Exception {
        Mutex mutex = new Mutex();
        Suite.sections(n, body -> {
            mutex.acquire(1);
            try {
                body.run();
            } finally {
                mutex.release(1);
            }
        });
    }

    private static final class LongGate extends AbstractQueuedLongSynchronizer {
        @Override
        protected long tryAcquireShared(long wanted) {
            return getState() >= wanted ? 1 : -1;
        }

        @Override
        protected boolean tryReleaseShared(long reached) {
            setState(reached);
            return true;
        }
    }

    /** Each thread waits at a gate of its own: at a common one, who waits for the later number may be first in the queue, and nobody behind it is let in. */
    @Suite.Safe
    static void ownLongSynchronizer(int n) throws Exception {
        LongGate[] gates = {new LongGate(), new LongGate()};
        Suite.turns(n, new Suite.IntTurn() {
            @Override
            public void await(int number) {
                gates[number & 1].acquireShared(number);
            }

            @Override
            public void pass(int number) {
                gates[number & 1].releaseShared(number);
            }
        });
    }
}
