import java.awt.EventQueue;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;

/** Events, channels and reflection that do not order what is touched. */
final class RacyPlatform {
    @Suite.Racy
    static void writeAfterInvokeLater(int n) throws Exception {
        System.setProperty("java.awt.headless", "true");
        for (int i = 0; i < 5; i++) {
            Suite.Box box = new Suite.Box();
            CountDownLatch done = new CountDownLatch(1);
            EventQueue.invokeLater(() -> {
                box.value++;
                done.countDown();
            });
            box.value++;
            done.await();
        }
    }

    @Suite.Racy
    static void writeBesideFile(int n) throws Exception {
        Path file = Files.createTempFile("selvedge", "");
        try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int i = 0; i < 5; i++) {
                Suite.Box box = new Suite.Box();
                CountDownLatch done = new CountDownLatch(1);
                channel.write(ByteBuffer.wrap(new byte[8]), 0, box, new java.nio.channels.CompletionHandler<Integer, Suite.Box>() {
                    @Override
                    public void completed(Integer count, Suite.Box given) {
                        writeBesideFile(given);
                        done.countDown();
                    }

                    @Override
                    public void failed(Throwable e, Suite.Box given) {
                        done.countDown();
                    }
                });
                box.value++;
                done.await();
            }
        } finally {
            Files.delete(file);
        }
    }

    private static void writeBesideFile(Suite.Box box) {
        box.value++;
    }

    @Suite.Racy
    static void writeAfterAttach(int n) throws Exception {
        for (int i = 0; i < 5; i++) {
            try (Selector selector = Selector.open()) {
                Pipe pipe = Pipe.open();
                pipe.source().configureBlocking(false);
                SelectionKey key = pipe.source().register(selector, SelectionKey.OP_READ);
                Suite.together(() -> {
                    Suite.Box box = Suite.poll(() -> (Suite.Box) key.attachment());
                    box.value++;
                }, () -> {
                    Suite.Box box = new Suite.Box();
                    key.attach(box);
                    box.value++;
                });
                pipe.source().close();
                pipe.sink().close();
            }
        }
    }

    private static final class Flags {
        volatile int flag;
        volatile int other;
        int plain;
    }

    /** A plain field that is written by reflection orders nothing. */
    @Suite.Racy
    static void plainByReflection(int n) throws Exception {
        Field field = Flags.class.getDeclaredField("plain");
        Flags flags = new Flags();
        Suite.Box box = new Suite.Box();
        Suite.together(() -> {
            box.value++;
            field.setInt(flags, 1);
        }, () -> {
            while (field.getInt(flags) == 0) Thread.yield();
            box.value++;
        });
    }

    /** Two volatile fields by reflection, of which each thread uses another one. */
    @Suite.Racy
    static void otherFieldByReflection(int n) throws Exception {
        Field flag = Flags.class.getDeclaredField("flag");
        Field other = Flags.class.getDeclaredField("other");
        Flags flags = new Flags();
        Suite.Box box = new Suite.Box();
        Suite.together(() -> {
            box.value++;
            flag.setInt(flags, 1);
        }, () -> {
            Suite.check(other.getInt(flags) == 0);
            box.value++;
        });
    }
}
