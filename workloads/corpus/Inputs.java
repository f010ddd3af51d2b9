// Input and output: own stream filters, readers, files and channels, walking, piped threads, checksums, compression, sockets.

import java.io.*;
import java.net.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.*;
import java.util.zip.*;

public class Inputs {
    static class Rotate extends FilterOutputStream {
        Rotate(OutputStream out) { super(out); }
        @Override public void write(int value) throws IOException { out.write(value + 1); }
    }

    static class Counting extends InputStream {
        private int left = 5;
        @Override public int read() { return left-- > 0 ? 'a' + left : -1; }
    }

    static class Delete extends SimpleFileVisitor<Path> {
        @Override public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException { Files.delete(file); return FileVisitResult.CONTINUE; }
        @Override public FileVisitResult postVisitDirectory(Path dir, IOException problem) throws IOException { Files.delete(dir); return FileVisitResult.CONTINUE; }
    }

    public static void main(String[] args) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream print = new PrintStream(new BufferedOutputStream(new Rotate(bytes)), true)) {
            print.print("HAL");
        }
        System.out.println(bytes + new String(new SequenceInputStream(new Counting(), new Counting()).readAllBytes()));

        Path dir = Files.createTempDirectory("inputs");
        Path file = dir.resolve("file.txt");
        Files.write(file, List.of("one", "two", "three"));
        try (BufferedReader reader = Files.newBufferedReader(file); var lines = Files.lines(file)) {
            System.out.println(reader.readLine() + reader.lines().count() + lines.filter(line -> line.length() > 3).findFirst().orElse(""));
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.allocate(3);
            channel.read(buffer);
            buffer.flip();
            channel.write(StandardCharsets.UTF_8.encode("ONE"), 0);
            System.out.println(StandardCharsets.UTF_8.decode(buffer).toString() + channel.map(FileChannel.MapMode.READ_ONLY, 0, 3).get(0));
        }
        try (RandomAccessFile random = new RandomAccessFile(file.toFile(), "rw"); DataInputStream data = new DataInputStream(new FileInputStream(file.toFile()))) {
            random.seek(4);
            System.out.println(random.readLine() + data.readInt());
        }
        System.out.println(dir.toFile().list((parent, name) -> name.endsWith(".txt")).length);
        try (var walk = Files.walk(dir)) {
            System.out.println(walk.filter(Files::isRegularFile).count());
        }
        Files.walkFileTree(dir, new Delete());
        try {
            Files.size(file);
        } catch (NoSuchFileException expected) {
            System.out.println("deleted");
        }
        compressed();
        piped();
        network();
    }

    static void compressed() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(packed)) {
            zip.putNextEntry(new ZipEntry("entry"));
            zip.write("content".repeat(20).getBytes());
            zip.closeEntry();
        }
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(packed.toByteArray()))) {
            System.out.println(zip.getNextEntry().getName() + zip.readAllBytes().length);
        }
        CRC32 crc = new CRC32();
        crc.update("abc".getBytes());
        System.out.println(Long.toHexString(crc.getValue()));
    }

    static void piped() throws Exception {
        PipedWriter writer = new PipedWriter();
        PipedReader reader = new PipedReader(writer);
        Thread thread = new Thread(() -> {
            try (writer) {
                writer.write("piped");
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
        thread.start();
        System.out.println(new BufferedReader(reader).readLine());
        thread.join();
    }

    static void network() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread echo = new Thread(() -> {
                try (Socket socket = server.accept()) {
                    socket.getInputStream().transferTo(socket.getOutputStream());
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            });
            echo.start();
            try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                socket.getOutputStream().write("echo".getBytes());
                socket.shutdownOutput();
                System.out.println(new String(socket.getInputStream().readAllBytes()));
            }
            echo.join();
        }
    }
}
