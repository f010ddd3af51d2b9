import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.AccessLogValve;

/** Tomcat on a port of the loopback interface: sessions, forms, asynchronous requests, an access log. Ends when standard input does. */
public class ServeTomcat {
    public static void main(String[] arguments) throws Exception {
        File base = Files.createTempDirectory(new File(arguments[1]).toPath(), "tomcat").toFile();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(base.getPath());
        tomcat.setHostname("localhost");
        tomcat.setPort(Integer.parseInt(arguments[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "8");
        Context context = tomcat.addContext("", base.getPath());
        AccessLogValve log = new AccessLogValve();
        log.setDirectory(base.getPath());
        log.setPattern("%h %t %r %s %b %D %S");
        context.getPipeline().addValve(log);
        add(context, "session", new Sessions());
        add(context, "form", new Forms());
        add(context, "large", new Large());
        add(context, "async", new Async());
        add(context, "error", new Errors());
        tomcat.start();
        System.out.println("ready");
        while (System.in.read() >= 0) continue;
        tomcat.stop();
        tomcat.destroy();
        System.out.println("stopped");
    }

    private static void add(Context context, String name, HttpServlet servlet) {
        Wrapper wrapper = Tomcat.addServlet(context, name, servlet);
        wrapper.setAsyncSupported(true);
        context.addServletMappingDecoded("/" + name, name);
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
