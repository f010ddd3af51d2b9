// selvedge: container=frameworks.AtomicCounterServlet
// The servlet with an atomic counter, a field that is set in init and locals for everything else.
package frameworks;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.atomic.AtomicInteger;

public class AtomicCounterServlet extends HttpServlet {
    private final AtomicInteger visits = new AtomicInteger();
    private String greeting;

    @Override
    public void init() {
        greeting = "welcome"; //~ NORACE: the container calls init before any request
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        String user = request.getParameter("user");
        int visit = visits.incrementAndGet(); //~ NORACE: atomic
        response.write(greeting + " " + user + ", visit " + visit); //~ NORACE: written in init only
    }
}
