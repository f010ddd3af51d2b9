import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** An HTTP server with sessions, a cart, a catalogue and pages from templates; two clients of the same process keep it busy over loopback. */
public class Server {
    static final class Request {
        String method;
        String path;
        final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        final Map<String, String> parameters = new LinkedHashMap<>();

        /** Reads a request; null at the end of the connection. */
        static Request read(InputStream in) throws IOException {
            String first = line(in);
            if (first == null) return null;
            Request request = new Request();
            String[] parts = first.split(" ");
            request.method = parts[0];
            int question = parts[1].indexOf('?');
            request.path = question < 0 ? parts[1] : parts[1].substring(0, question);
            if (question >= 0) request.parse(parts[1].substring(question + 1));
            for (String header = line(in); header != null && !header.isEmpty(); header = line(in)) {
                int colon = header.indexOf(':');
                request.headers.put(header.substring(0, colon), header.substring(colon + 1).trim());
            }
            int length = Integer.parseInt(request.headers.getOrDefault("Content-Length", "0"));
            if (length > 0) request.parse(new String(in.readNBytes(length), StandardCharsets.UTF_8));
            return request;
        }

        private void parse(String query) {
            for (String pair : query.split("&")) {
                int equals = pair.indexOf('=');
                if (equals > 0) parameters.put(pair.substring(0, equals), decode(pair.substring(equals + 1)));
            }
        }

        private static String decode(String text) {
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '%' && i + 2 < text.length()) {
                    out.append((char) Integer.parseInt(text.substring(i + 1, i + 3), 16));
                    i += 2;
                } else {
                    out.append(c == '+' ? ' ' : c);
                }
            }
            return out.toString();
        }
    }

    static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) return null;
            if (b != '\r') line.append((char) b);
        }
        return line.toString();
    }

    static final class Session {
        final String id;
        private final Map<String, Integer> cart = new TreeMap<>();
        private int visits;

        Session(String id) {
            this.id = id;
        }

        synchronized void add(String item, int count) {
            cart.merge(item, count, Integer::sum);
            if (cart.size() > 20) cart.clear();
        }

        synchronized int visit() {
            return ++visits;
        }

        synchronized Map<String, Integer> cart() {
            return new TreeMap<>(cart);
        }
    }

    /** Text with places for values. */
    static final class Template {
        private final List<String> parts = new ArrayList<>();

        Template(String text) {
            for (String part : text.split("\\$", -1)) parts.add(part);
        }

        String fill(Map<String, String> values) {
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < parts.size(); i++) {
                String part = parts.get(i);
                if (i % 2 == 0) out.append(part);
                else escape(values.getOrDefault(part, ""), out);
            }
            return out.toString();
        }

        private static void escape(String text, StringBuilder out) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                switch (c) {
                    case '<': out.append("&lt;"); break;
                    case '>': out.append("&gt;"); break;
                    case '&': out.append("&amp;"); break;
                    default: out.append(c);
                }
            }
        }
    }

    interface Handler {
        String handle(Request request, Session session);
    }

    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final Map<String, Handler> routes = new LinkedHashMap<>();
    private final Map<String, Integer> prices = new TreeMap<>();
    private final AtomicLong served = new AtomicLong();
    private final Template page = new Template("<html><head><title>$title$</title></head><body><h1>$title$</h1>$body$<p>$visits$</p></body></html>");
    private final Template item = new Template("<li>$name$: $price$</li>");

    Server() {
        for (int i = 0; i < 200; i++) prices.put("item<" + i + ">", 10 + i * 37 % 91);
        routes.put("/search", (request, session) -> {
            String wanted = request.parameters.getOrDefault("q", "");
            StringBuilder list = new StringBuilder();
            int shown = 0;
            for (Map.Entry<String, Integer> entry : prices.entrySet()) {
                if (!entry.getKey().contains(wanted) || ++shown > 12) continue;
                list.append(item.fill(Map.of("name", entry.getKey(), "price", String.valueOf(entry.getValue()))));
            }
            return list.toString();
        });
        routes.put("/add", (request, session) -> {
            session.add(request.parameters.get("item"), Integer.parseInt(request.parameters.getOrDefault("count", "1")));
            return "added";
        });
        routes.put("/cart", (request, session) -> {
            long sum = 0;
            for (Map.Entry<String, Integer> entry : session.cart().entrySet()) {
                sum += (long) prices.getOrDefault(entry.getKey(), 0) * entry.getValue();
            }
            return "sum " + sum;
        });
    }

    private void serve(Socket socket) {
        try (Socket closed = socket; InputStream in = new BufferedInputStream(socket.getInputStream())) {
            OutputStream out = socket.getOutputStream();
            for (Request request = Request.read(in); request != null; request = Request.read(in)) {
                Session session = sessions.computeIfAbsent(request.headers.getOrDefault("Cookie", "none"), Session::new);
                Handler handler = routes.get(request.path);
                String body = handler == null ? "not found" : handler.handle(request, session);
                Map<String, String> values = Map.of("title", request.path, "body", body, "visits", String.valueOf(session.visit()));
                byte[] bytes = page.fill(values).getBytes(StandardCharsets.UTF_8);
                ByteArrayOutputStream answer = new ByteArrayOutputStream();
                String head = "HTTP/1.1 " + (handler == null ? "404 Not Found" : "200 OK") + "\r\nContent-Length: " + bytes.length + "\r\n\r\n";
                answer.write(head.getBytes(StandardCharsets.ISO_8859_1));
                answer.write(bytes);
                out.write(answer.toByteArray());
                served.incrementAndGet();
            }
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static int client(int port, int number, int requests) throws IOException {
        int hash = 0;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            for (int i = 0; i < requests; i++) {
                String target = i % 10 == 9 ? "/missing" : i % 3 == 0 ? "/search?q=" + i % 10 : i % 3 == 1 ? "/add" : "/cart";
                String body = target.equals("/add") ? "item=item%3c" + i % 200 + "%3e&count=" + (1 + i % 5) : "";
                String request = (body.isEmpty() ? "GET " : "POST ") + target + " HTTP/1.1\r\nHost: localhost\r\nCookie: s" + number
                    + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
                out.write(request.getBytes(StandardCharsets.ISO_8859_1));
                int length = -1;
                for (String header = line(in); !header.isEmpty(); header = line(in)) {
                    if (header.startsWith("Content-Length: ")) length = Integer.parseInt(header.substring(16));
                }
                byte[] answer = in.readNBytes(length);
                if (answer.length < length) throw new EOFException();
                hash = 31 * hash + java.util.Arrays.hashCode(answer);
            }
        }
        return hash;
    }

    public static void main(String[] args) throws Exception {
        int requests = args.length > 0 ? Integer.parseInt(args[0]) : 5000;
        Server server = new Server();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread acceptor = new Thread(() -> {
            try {
                while (true) {
                    Socket socket = listening.accept();
                    socket.setTcpNoDelay(true);
                    pool.execute(() -> server.serve(socket));
                }
            } catch (IOException closed) {
                pool.shutdown();
            }
        });
        acceptor.start();
        int[] hashes = new int[2];
        Thread[] clients = new Thread[2];
        for (int i = 0; i < clients.length; i++) {
            int number = i;
            clients[i] = new Thread(() -> {
                try {
                    hashes[number] = client(listening.getLocalPort(), number, requests);
                } catch (IOException failure) {
                    throw new IllegalStateException(failure);
                }
            });
            clients[i].start();
        }
        for (Thread client : clients) client.join();
        listening.close();
        System.out.println(server.served.get() + " " + hashes[0] + " " + hashes[1]);
    }
}
