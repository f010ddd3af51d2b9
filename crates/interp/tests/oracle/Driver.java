import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;

/** Runs the main classes given after the first argument, one after the other, and writes what each printed to that file. */
public class Driver {
    public static void main(String[] args) throws Exception {
        PrintStream original = System.out;
        try (DataOutputStream results = new DataOutputStream(new FileOutputStream(args[0]))) {
            for (int i = 1; i < args.length; i++) {
                ByteArrayOutputStream captured = new ByteArrayOutputStream();
                System.setOut(new PrintStream(captured, true, "UTF-8"));
                Class.forName(args[i]).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
                System.out.flush();
                byte[] bytes = captured.toByteArray();
                results.writeInt(bytes.length);
                results.write(bytes);
            }
        }
        System.setOut(original);
        // Pools that a program left open must not keep this one alive.
        System.exit(0);
    }
}
