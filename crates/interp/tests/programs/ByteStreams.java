import java.io.*;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** In-memory input and output: byte and data streams, readers, writers, buffers, tokenising. */
public class ByteStreams {
    public static void main(String[] args) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(-2);
            out.writeLong(1L << 50);
            out.writeUTF("h\u00e9\u20ac");
            out.writeDouble(2.5);
            out.writeBoolean(true);
            out.writeShort(-3);
            out.writeChar('x');
            out.writeFloat(1.25f);
        }
        System.out.println(bytes.size() + " " + Arrays.hashCode(bytes.toByteArray()));
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        System.out.println(in.readInt() + " " + in.readLong() + " " + in.readUTF() + " " + in.readDouble() + " " + in.readBoolean() + " " + in.readShort() + " " + in.readChar() + " " + in.readFloat() + " " + in.read());
        try {
            in.readInt();
        } catch (EOFException e) {
            System.out.println("end of file");
        }
        BufferedReader reader = new BufferedReader(new StringReader("first line\nsecond line\r\nthird"));
        String line;
        int words = 0;
        while ((line = reader.readLine()) != null) {
            words += new StringTokenizer(line).countTokens();
            System.out.print(line.length() + " ");
        }
        System.out.println(words);
        StringWriter text = new StringWriter();
        PrintWriter writer = new PrintWriter(text);
        writer.print(1);
        writer.print(' ');
        writer.println(2.5);
        writer.printf("%03d", 7);
        writer.flush();
        System.out.println(text.toString().replace(System.lineSeparator(), "/"));
        StackTraceElement here = new StackTraceElement("Cls", "method", "File.java", 3);
        System.out.println(here);
        InputStreamReader decode = new InputStreamReader(new ByteArrayInputStream("d\u00e9codage \ud83d\ude00".getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
        int c, sum = 0;
        while ((c = decode.read()) >= 0) sum += c;
        System.out.println(sum);
        ByteBuffer buffer = ByteBuffer.allocate(32);
        buffer.putInt(0x01020304).put((byte) 9).putLong(-1L).putDouble(1.5).flip();
        System.out.println(buffer.getInt() + " " + buffer.get() + " " + buffer.getLong() + " " + buffer.getDouble() + " " + buffer.remaining() + " " + buffer);
        PrintStream capture = new PrintStream(bytes);
        bytes.reset();
        capture.print("captured ");
        capture.print(42);
        capture.flush();
        System.out.println(bytes);
        System.out.print('c');
        System.out.print(1L);
        System.out.print(1.5f);
        System.out.print(new char[]{'a', 'b'});
        System.out.print((Object) "o");
        System.out.println(true);
        System.out.println('x');
        System.out.println(new char[]{'h', 'i'});
        System.out.println(2.5f);
        System.out.println(7L);
        System.out.println((String) null);
        System.out.println();
        System.out.append("appended").append('\n');
        System.out.write(65);
        System.out.println("\u00e9\u20ac\ud83d\ude00");
    }
}
