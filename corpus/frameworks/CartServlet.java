// selvedge: container=frameworks.CartServlet
// An older servlet: get and post of one instance share a HashMap of carts.
package frameworks;

import java.util.HashMap;
import java.util.Map;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

public class CartServlet extends HttpServlet {
    private final Map<String, Integer> carts = new HashMap<>();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        response.write("items " + carts.get(request.getParameter("user"))); //~ RACE
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) {
        carts.merge(request.getParameter("user"), 1, Integer::sum); //~ RACE
    }
}
