// selvedge: container=frameworks.CounterServlet
// The servlet container has one instance and many request threads: a plain field is shared by all requests.
package frameworks;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

public class CounterServlet extends HttpServlet {
    private int visits;
    private String lastUser;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        visits++; //~ RACE
        lastUser = request.getParameter("user"); //~ RACE
        response.write("visit " + visits + " by " + lastUser); //~ RACE
    }
}
