// selvedge: container=frameworks.StockResource
// A JAX-RS resource that is a singleton keeps state in a field.
package frameworks;

import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;

@Singleton
@Path("/stock")
public class StockResource {
    private int stock;

    @GET
    public int stock() {
        return stock; //~ RACE
    }

    @PUT
    public void add(int amount) {
        stock += amount; //~ RACE
    }
}
