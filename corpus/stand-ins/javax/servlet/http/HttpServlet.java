package javax.servlet.http;

/** Stands in for the class of this name. */
public abstract class HttpServlet {
    public void init() {
    }

    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    }

    protected void doPost(HttpServletRequest request, HttpServletResponse response) {
    }
}
