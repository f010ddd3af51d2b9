import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Exchanger;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/** Hand-over through queues. */
final class Queues {
    /** New boxes one way, then one box there and back. */
    private static void blocking(int n, BlockingQueue<Suite.Box> one, BlockingQueue<Suite.Box> other) throws Exception {
        Suite.stream(n, one::put, one::take);
        Suite.pingPong(n, one::put, one::take, other::put, other::take);
    }

    private static void polling(int n, Queue<Suite.Box> one, Queue<Suite.Box> other) throws Exception {
        Suite.stream(n, one::offer, () -> Suite.poll(one::poll));
        Suite.pingPong(n, one::offer, () -> Suite.poll(one::poll), other::add, () -> Suite.poll(other::poll));
    }

    @Suite.Safe
    static void arrayBlockingQueue(int n) throws Exception {
        blocking(n, new ArrayBlockingQueue<>(10), new ArrayBlockingQueue<>(1, true));
    }

    @Suite.Safe
    static void linkedBlockingQueue(int n) throws Exception {
        blocking(n, new LinkedBlockingQueue<>(), new LinkedBlockingQueue<>(3));
    }

    @Suite.Safe
    static void linkedBlockingDeque(int n) throws Exception {
        LinkedBlockingDeque<Suite.Box> stack = new LinkedBlockingDeque<>();
        LinkedBlockingDeque<Suite.Box> back = new LinkedBlockingDeque<>(1);
        Suite.stream(n, stack::putFirst, stack::takeFirst);
        Suite.pingPong(n, stack::putFirst, stack::takeLast, back::putLast, back::takeFirst);
    }

    @Suite.Safe
    static void priorityBlockingQueue(int n) throws Exception {
        blocking(n, new PriorityBlockingQueue<>(), new PriorityBlockingQueue<>());
    }

    @Suite.Safe
    static void delayQueue(int n) throws Exception {
        DelayQueue<DelayedBox> queue = new DelayQueue<>();
        Suite.stream(n, box -> queue.put(new DelayedBox(box)), () -> queue.take().box);
    }

    /** Final field: what is behind it is still handed over by the queue. */
    static final class DelayedBox implements Delayed {
        final Suite.Box box;

        DelayedBox(Suite.Box box) {
            this.box = box;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    @Suite.Safe
    static void synchronousQueue(int n) throws Exception {
        blocking(n, new SynchronousQueue<>(), new SynchronousQueue<>());
    }

    @Suite.Safe
    static void synchronousQueueFair(int n) throws Exception {
        blocking(n, new SynchronousQueue<>(true), new SynchronousQueue<>(true));
    }

    @Suite.Safe
    static void synchronousQueueTimed(int n) throws Exception {
        SynchronousQueue<Suite.Box> queue = new SynchronousQueue<>();
        Suite.stream(n, box -> {
            while (!queue.offer(box, 1, TimeUnit.SECONDS)) Thread.yield();
        }, () -> Suite.poll(() -> queue.poll(1, TimeUnit.SECONDS)));
    }

    @Suite.Safe
    static void linkedTransferQueue(int n) throws Exception {
        blocking(n, new LinkedTransferQueue<>(), new LinkedTransferQueue<>());
    }

    @Suite.Safe
    static void linkedTransferQueueTransfer(int n) throws Exception {
        LinkedTransferQueue<Suite.Box> there = new LinkedTransferQueue<>();
        LinkedTransferQueue<Suite.Box> back = new LinkedTransferQueue<>();
        Suite.stream(n, there::transfer, there::take);
        Suite.pingPong(n, there::transfer, there::take, back::transfer, back::take);
    }

    @Suite.Safe
    static void linkedTransferQueueTry(int n) throws Exception {
        LinkedTransferQueue<Suite.Box> queue = new LinkedTransferQueue<>();
        Suite.stream(n, box -> {
            while (!queue.tryTransfer(box)) Thread.yield();
        }, () -> Suite.poll(() -> queue.poll(1, TimeUnit.SECONDS)));
    }

    @Suite.Safe
    static void linkedTransferQueuePoll(int n) throws Exception {
        polling(n, new LinkedTransferQueue<>(), new LinkedTransferQueue<>());
    }

    @Suite.Safe
    static void concurrentLinkedQueue(int n) throws Exception {
        polling(n, new ConcurrentLinkedQueue<>(), new ConcurrentLinkedQueue<>());
    }

    @Suite.Safe
    static void concurrentLinkedDeque(int n) throws Exception {
        ConcurrentLinkedDeque<Suite.Box> there = new ConcurrentLinkedDeque<>();
        ConcurrentLinkedDeque<Suite.Box> back = new ConcurrentLinkedDeque<>();
        polling(n, there, back);
        Suite.pingPong(n, there::push, () -> Suite.poll(there::pollLast), back::offerLast, () -> Suite.poll(back::pollFirst));
    }

    /** A pool of objects in a concurrent queue: the way servers keep formats and buffers. */
    @Suite.Safe
    static void pooledObjects(int n) throws Exception {
        Queue<Suite.Box> pool = new ConcurrentLinkedQueue<>();
        Suite.Step use = i -> {
            Suite.Box box = pool.poll();
            if (box == null) box = new Suite.Box();
            box.value++;
            box.cells[i & 3] = box.value;
            pool.offer(box);
        };
        Suite.pair(n, use, use);
    }

    @Suite.Safe
    static void peekAndIterate(int n) throws Exception {
        Queue<Suite.Box> queue = new ConcurrentLinkedQueue<>();
        int[] seen = {0};
        Suite.pair(Math.min(n, 2000), i -> {
            Suite.Box box = new Suite.Box();
            box.value = i;
            queue.add(box);
        }, i -> {
            Suite.Box head = queue.peek();
            if (head != null) Suite.check(head.value == 0);
            Iterator<Suite.Box> boxes = queue.iterator();
            for (int k = 0; k < 3 && boxes.hasNext(); k++) seen[0] += boxes.next().value;
        });
    }

    @Suite.Safe
    static void offerAndPollTimed(int n) throws Exception {
        BlockingQueue<Suite.Box> array = new ArrayBlockingQueue<>(2);
        BlockingQueue<Suite.Box> linked = new LinkedBlockingQueue<>(2);
        for (BlockingQueue<Suite.Box> queue : List.of(array, linked)) {
            Suite.stream(n, box -> {
                while (!queue.offer(box, 1, TimeUnit.SECONDS)) Thread.yield();
            }, () -> Suite.poll(() -> queue.poll(1, TimeUnit.SECONDS)));
        }
    }

    @Suite.Safe
    static void drainTo(int n) throws Exception {
        for (BlockingQueue<Suite.Box> queue : List.<BlockingQueue<Suite.Box>>of(
                new ArrayBlockingQueue<>(8), new LinkedBlockingQueue<>(), new LinkedBlockingDeque<>(), new LinkedTransferQueue<>(),
                new PriorityBlockingQueue<>())) {
            List<Suite.Box> drained = new ArrayList<>();
            Suite.stream(n, queue::put, () -> {
                while (drained.isEmpty()) {
                    if (queue.drainTo(drained) == 0) Thread.yield();
                }
                return drained.remove(drained.size() - 1);
            });
        }
    }

    @Suite.Safe
    static void exchanger(int n) throws Exception {
        Exchanger<Suite.Box> exchanger = new Exchanger<>();
        Suite.Box[] held = {new Suite.Box(), new Suite.Box()};
        Suite.pair(n, i -> {
            held[0].value++;
            held[0].cells[0] = held[0].value;
            held[0] = exchanger.exchange(held[0]);
        }, i -> {
            held[1].value++;
            held[1].cells[0] = held[1].value;
            held[1] = exchanger.exchange(held[1], 20, TimeUnit.SECONDS);
        });
        Suite.check(held[0].value + held[1].value == 2 * n);
    }
}
