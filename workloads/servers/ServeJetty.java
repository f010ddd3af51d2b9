import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.AsyncContext;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty on a port of the loopback interface, with the servlets of ServeTomcat. Ends when standard input does. */
public class ServeJetty {
    public static void main(String[] arguments) throws Exception {
        Server server = new Server(new QueuedThreadPool(10, 4));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(arguments[0]));
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
        context.setContextPath("/");
        add(context, "session", new Sessions());
        add(context, "form", new Forms());
        add(context, "large", new Large());
        add(context, "async", new Async());
        add(context, "error", new Errors());
        server.setHandler(context);
        server.start();
        System.out.println("ready");
        while (System.in.read() >= 0) continue;
        server.stop();
        server.join();
        System.out.println("stopped");
    }

    private static void add(ServletContextHandler context, String name, HttpServlet servlet) {
        ServletHolder holder = new ServletHolder(servlet);
        holder.setAsyncSupported(true);
        context.addServlet(holder, "/" + name);
    }

    static class Sessions extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession();
            synchronized (session) {
                Integer count = (Integer) session.getAttribute("count");
                session.setAttribute("count", count == null ? 1 : count + 1);
            }
            if (request.getParameter("end") != null) session.invalidate();
            response.getWriter().println("ok");
        }
    }

    static class Forms extends HttpServlet {
        private final AtomicInteger seen = new AtomicInteger();

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            seen.addAndGet(request.getParameter("text").length());
            response.setDateHeader("Date", System.currentTimeMillis());
            response.getWriter().println(seen.get() > 0);
        }
    }

    static class Large extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getOutputStream().write(new byte[100_000]);
        }
    }

    static class Async extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            AsyncContext context = request.startAsync();
            context.start(() -> {
                try {
                    context.getResponse().getWriter().println("later");
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                context.complete();
            });
        }
    }

    static class Errors extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.sendError(404, "nothing here");
        }
    }
}
