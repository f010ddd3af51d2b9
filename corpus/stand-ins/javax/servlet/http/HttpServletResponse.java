package javax.servlet.http;

/** Stands in for the interface of this name; writing is simplified. */
public interface HttpServletResponse {
    void write(String text);
}
