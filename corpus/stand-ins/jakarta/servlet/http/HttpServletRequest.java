package jakarta.servlet.http;

/** Stands in for the interface of this name. */
public interface HttpServletRequest {
    String getParameter(String name);
}
