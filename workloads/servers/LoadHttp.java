import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.concurrent.atomic.AtomicInteger;

/** A bounded load on a server of the loopback interface: PORT THREADS REQUESTS. Prints how many requests were answered as expected. */
public class LoadHttp {
    public static void main(String[] arguments) throws Exception {
        String base = "http://127.0.0.1:" + Integer.parseInt(arguments[0]) + "/";
        int requests = Integer.parseInt(arguments[2]);
        AtomicInteger good = new AtomicInteger();
        Thread[] threads = new Thread[Integer.parseInt(arguments[1])];
        for (int t = 0; t < threads.length; t++) {
            int number = t;
            threads[t] = new Thread(() -> {
                String cookie = null;
                for (int i = 0; i < requests; i++) {
                    try {
                        HttpURLConnection connection = (HttpURLConnection) new URL(base + path(i + number)).openConnection();
                        connection.setConnectTimeout(20_000);
                        connection.setReadTimeout(20_000);
                        if (cookie != null) connection.setRequestProperty("Cookie", cookie);
                        if ((i + number) % 6 == 1) {
                            connection.setDoOutput(true);
                            try (OutputStream out = connection.getOutputStream()) {
                                out.write(("text=" + "x".repeat(i % 300 + 1)).getBytes());
                            }
                        }
                        int status = connection.getResponseCode();
                        String set = connection.getHeaderField("Set-Cookie");
                        if (set != null) cookie = set.split(";")[0];
                        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                            if (in != null) in.readAllBytes();
                        }
                        if (status == 200 || status == 404 && (i + number) % 6 == 4) good.incrementAndGet();
                    } catch (java.io.IOException e) {
                        System.err.println(e);
                    }
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
        System.out.println(good + " of " + threads.length * requests);
    }

    private static String path(int i) {
        switch (i % 6) {
            case 1: return "form";
            case 2: return "large";
            case 3: return "async";
            case 4: return "error";
            case 5: return i % 30 == 5 ? "session?end=1" : "session";
            default: return "session";
        }
    }
}
