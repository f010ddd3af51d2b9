// selvedge: container=frameworks.CartServletLocked
// The cart servlet with the map under a lock in both methods.
package frameworks;

import java.util.HashMap;
import java.util.Map;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

public class CartServletLocked extends HttpServlet {
    private final Map<String, Integer> carts = new HashMap<>();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        Integer items;
        synchronized (carts) {
            items = carts.get(request.getParameter("user")); //~ NORACE: guarded by carts
        }
        response.write("items " + items);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) {
        synchronized (carts) {
            carts.merge(request.getParameter("user"), 1, Integer::sum); //~ NORACE: guarded by carts
        }
    }
}
