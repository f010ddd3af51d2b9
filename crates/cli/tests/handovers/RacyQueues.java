import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Exchanger;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;

/** Who hands a box over goes on writing to it. One queue for each box: nothing that comes later orders. */
final class RacyQueues {
    private static final int ROUNDS = 10;

    @Suite.Racy
    static void writeAfterArrayBlockingQueue(int n) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            BlockingQueue<Suite.Box> queue = new ArrayBlockingQueue<>(1);
            Suite.Box box = new Suite.Box();
            Suite.together(() -> {
                queue.put(box);
                box.value = 1;
            }, () -> queue.take().value++);
        }
    }

    @Suite.Racy
    static void writeAfterLinkedBlockingQueue(int n) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            BlockingQueue<Suite.Box> queue = new LinkedBlockingQueue<>();
            Suite.Box box = new Suite.Box();
            Suite.together(() -> {
                queue.put(box);
                box.value = 1;
            }, () -> queue.take().value++);
        }
    }

    @Suite.Racy
    static void writeAfterLinkedBlockingDeque(int n) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            LinkedBlockingDeque<Suite.Box> queue = new LinkedBlockingDeque<>();
            Suite.Box box = new Suite.Box();
            Suite.together(() -> {
                queue.putFirst(box);
                box.value = 1;
            }, () -> queue.takeLast().value++);
        }
    }

    @Suite.Racy
    static void writeAfterPriorityBlockingQueue(int n) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            BlockingQueue<Suite.Box> queue = new PriorityBlockingQueue<>();
            Suite.Box box = new Suite.Box();
            Suite.together(() -> {
                queue.put(box);
                box.value = 1;
            }, () -> queue.take().value++);
        }
    }

    @Suite.Racy
    static void writeAfterDelayQueue(int n) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            DelayQueue<Queues.DelayedBox> queue = new DelayQueue<>();
            Suite.Box box = new Suite.Box();
            Suite.together(() -> {
                queue.put(new Queues.DelayedBox(box));
                box.value = 1;
            }, () -> queue.take().box.value++);
        }
    }

    @Suite.Racy
    static void writeAfterSynchronousQueue(int n) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            BlockingQueue<Suite.Box> queue = new SynchronousQueue<>((i & 1) == 0);
            Suite.Box box = new Suite.Box();
            Suite.together(() -> {
                queue.put(box);
                box.value = 1;
            }, () -> queue.take().value++);
        }
    }

    @Suite.Racy
    static void writeAfterTransfer(int n) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            LinkedTransferQueue<Suite.Box> queue = new LinkedTransferQueue<>();
            Suite.Box box = new Suite.Box();
            Suite.together(() -> {
                queue.transfer(box);
                box.value = 1;
            }, () -> queue.take().value++);
        }
    }

    @Suite.Racy
    static void writeAfterLinkedTransferQueue(int n) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            LinkedTransferQueue<Suite.Box> queue = new LinkedTransferQueue<>();
            Suite.Box box = new Suite.Box();
            Suite.together(() -> {
                queue.put(box);
                box.value = 1;
            }, () -> Suite.poll(queue::poll).value++);
        }
    }

    @Suite.Racy
    static void writeAfterConcurrentLinkedQueue(int n) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            Queue<Suite.Box> queue = new ConcurrentLinkedQueue<>();
            Suite.Box box = new Suite.Box();
            Suite.together(() -> {
                queue.add(box);
                box.value = 1;
            }, () -> Suite.poll(queue::poll).value++);
        }
    }

    @Suite.Racy
    static void writeAfterConcurrentLinkedDeque(int n) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            ConcurrentLinkedDeque<Suite.Box> queue = new ConcurrentLinkedDeque<>();
            Suite.Box box = new Suite.Box();
            Suite.together(() -> {
                queue.push(box);
                box.value = 1;
            }, () -> Suite.poll(queue::pollLast).value++);
        }
    }

    @Suite.Racy
    static void writeAfterCopyOnWrite(int n) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            CopyOnWriteArrayList<Suite.Box> list = new CopyOnWriteArrayList<>();
            Suite.Box box = new Suite.Box();
            Suite.together(() -> {
                list.add(box);
                box.value = 1;
            }, () -> Suite.poll(() -> list.isEmpty() ? null : list.get(0)).value++);
        }
    }

    /** Both threads keep the box that they gave away. */
    @Suite.Racy
    static void keepAfterExchange(int n) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            Exchanger<Suite.Box> exchanger = new Exchanger<>();
            Suite.together(() -> {
                Suite.Box own = new Suite.Box();
                exchanger.exchange(own).value++;
                own.value++;
            }, () -> {
                Suite.Box own = new Suite.Box();
                exchanger.exchange(own).value++;
                own.value++;
            });
        }
    }

    /** A box of the pool is used after it was given back. */
    @Suite.Racy
    static void useAfterGivenBack(int n) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            Queue<Suite.Box> pool = new ConcurrentLinkedQueue<>();
            Suite.together(() -> {
                Suite.Box box = new Suite.Box();
                box.value++;
                pool.offer(box);
                box.value--;
            }, () -> Suite.poll(pool::poll).value++);
        }
    }

    /** Two queues with the same contents: only one of them was asked. */
    @Suite.Racy
    static void otherQueue(int n) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            Queue<Suite.Box> first = new ConcurrentLinkedQueue<>();
            Queue<Suite.Box> second = new ConcurrentLinkedQueue<>();
            Suite.Box box = new Suite.Box();
            Suite.together(() -> {
                first.add(box);
                box.value = 1;
                second.add(box);
            }, () -> Suite.poll(first::poll).value++);
        }
    }
}
