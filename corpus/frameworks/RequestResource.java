// selvedge: container=frameworks.RequestResource
// A JAX-RS resource without a scope is made anew for each request: its fields belong to one request.
package frameworks;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

@Path("/echo")
public class RequestResource {
    private int calls;

    @GET
    public String echo(String text) {
        calls++; //~ NORACE: one instance for each request
        return text + calls; //~ NORACE: one instance for each request
    }
}
