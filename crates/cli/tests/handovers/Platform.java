import java.awt.EventQueue;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.swing.SwingWorker;

/** Hand-over through parts of the platform beyond java.util.concurrent: events, channels, clients, listeners, reflection. */
final class Platform {
    private static int few(int n) {
        return Math.min(n, 50);
    }

    /** No display is needed for events. */
    private static void headless() {
        System.setProperty("java.awt.headless", "true");
    }

    @Suite.Safe
    static void eventQueue(int n) throws Exception {
        headless();
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < few(n); i++) {
            box.value++;
            EventQueue.invokeAndWait(() -> box.value++);
            Suite.check(box.value == 2 * i + 2);
        }
        CountDownLatch last = new CountDownLatch(1);
        for (int i = 0; i < few(n); i++) EventQueue.invokeLater(() -> box.value++);
        EventQueue.invokeLater(last::countDown);
        last.await();
        Suite.check(box.value == 3 * few(n));
    }

    @Suite.Safe
    static void swingWorker(int n) throws Exception {
        headless();
        for (int i = 0; i < few(n); i++) {
            Suite.Box box = new Suite.Box();
            box.value = i;
            CountDownLatch done = new CountDownLatch(1);
            new SwingWorker<Integer, Integer>() {
                @Override
                protected Integer doInBackground() {
                    box.value++;
                    publish(1);
                    return box.value;
                }

                @Override
                protected void process(List<Integer> parts) {
                    box.cells[0] += parts.size();
                }

                @Override
                protected void done() {
                    box.value++;
                    done.countDown();
                }
            }.execute();
            done.await();
            Suite.check(box.value == i + 2);
        }
    }

    @Suite.Safe
    static void httpClient(int n) throws Exception {
        com.sun.net.httpserver.HttpServer server =
            com.sun.net.httpserver.HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService pool = Executors.newFixedThreadPool(2, Suite.factory());
        Suite.Box served = new Suite.Box();
        served.value = 3;
        server.setExecutor(pool);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(served.value == 3 ? 200 : 500, -1);
            exchange.close();
        });
        server.start();
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/")).build();
        for (int i = 0; i < few(n); i++) {
            Suite.Box box = new Suite.Box();
            box.value = i;
            int status = client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenApply(response -> {
                box.value++;
                return response.statusCode();
            }).get();
            Suite.check(status == 200 && box.value == i + 1);
        }
        server.stop(0);
        pool.shutdown();
    }

    /** Counts, and lets go. */
    private static final class Raises<T> implements CompletionHandler<T, Suite.Box> {
        private final CountDownLatch done = new CountDownLatch(1);

        @Override
        public void completed(T result, Suite.Box box) {
            box.value++;
            done.countDown();
        }

        @Override
        public void failed(Throwable e, Suite.Box box) {
            done.countDown();
        }
    }

    @Suite.Safe
    static void asynchronousFile(int n) throws Exception {
        Path file = Files.createTempFile("selvedge", "");
        try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int i = 0; i < few(n); i++) {
                Suite.Box box = new Suite.Box();
                box.value = i;
                Raises<Integer> raises = new Raises<>();
                channel.write(ByteBuffer.wrap(new byte[8]), 0, box, raises);
                raises.done.await();
                Suite.check(box.value == i + 1);
            }
        } finally {
            Files.delete(file);
        }
    }

    @Suite.Safe
    static void asynchronousSocket(int n) throws Exception {
        try (AsynchronousServerSocketChannel server =
            AsynchronousServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            for (int i = 0; i < few(n); i++) {
                Suite.Box box = new Suite.Box();
                box.value = i;
                Raises<AsynchronousSocketChannel> raises = new Raises<>();
                server.accept(box, raises);
                try (AsynchronousSocketChannel client = AsynchronousSocketChannel.open()) {
                    client.connect(server.getLocalAddress()).get();
                    raises.done.await();
                }
                Suite.check(box.value == i + 1);
            }
        }
    }

    /** What is attached to a key while another thread selects. */
    @Suite.Safe
    static void attachedToKey(int n) throws Exception {
        for (int i = 0; i < few(n); i++) {
            try (Selector selector = Selector.open()) {
                Pipe pipe = Pipe.open();
                pipe.source().configureBlocking(false);
                SelectionKey key = pipe.source().register(selector, SelectionKey.OP_READ);
                int given = i;
                Suite.together(() -> {
                    Suite.Box box = null;
                    while (box == null) {
                        selector.select(1);
                        box = (Suite.Box) key.attachment();
                    }
                    Suite.check(box.value++ == given);
                }, () -> {
                    Suite.Box box = new Suite.Box();
                    box.value = given;
                    key.attach(box);
                    selector.wakeup();
                });
                pipe.source().close();
                pipe.sink().close();
            }
        }
    }

    private static final class Flagged {
        static volatile long all;
        volatile int flag;
        int data;
    }

    /** Volatile fields that one side or both reach by reflection. */
    @Suite.Safe
    static void volatileByReflection(int n) throws Exception {
        Field flag = Flagged.class.getDeclaredField("flag");
        Field all = Flagged.class.getDeclaredField("all");
        Flagged shared = new Flagged();
        Suite.pair(few(n), i -> {
            shared.data++;
            flag.setInt(shared, 4 * i + 1);
            Suite.until(() -> Flagged.all == 4 * i + 2);
            shared.data++;
            flag.set(shared, 4 * i + 3);
            Suite.until(() -> shared.flag == 4 * i + 4);
        }, i -> {
            while (flag.getInt(shared) != 4 * i + 1) Thread.yield();
            shared.data++;
            all.setLong(null, 4 * i + 2);
            Suite.until(() -> shared.flag == 4 * i + 3);
            Suite.check(shared.data == 3 * i + 3);
            shared.flag = 4 * i + 4;
        });
        Flagged.all = 0;
    }

    @Suite.Safe
    static void proxy(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Runnable raises = (Runnable) Proxy.newProxyInstance(Platform.class.getClassLoader(), new Class<?>[] {Runnable.class}, (self, method, arguments) -> {
            synchronized (box) {
                box.value++;
            }
            return null;
        });
        Suite.pair(n, i -> raises.run(), i -> raises.run());
        Suite.check(box.value == 2 * n);
    }

    @Suite.Safe
    static void notifications(int n) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor(Suite.factory());
        NotificationBroadcasterSupport source = new NotificationBroadcasterSupport(pool);
        Suite.Box box = new Suite.Box();
        CountDownLatch left = new CountDownLatch(few(n));
        source.addNotificationListener((notification, given) -> {
            ((Suite.Box) given).value++;
            left.countDown();
        }, null, box);
        for (int i = 0; i < few(n); i++) source.sendNotification(new Notification("type", "source", i));
        left.await();
        Suite.check(box.value == few(n));
        pool.shutdown();
    }
}
