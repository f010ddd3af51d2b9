// A static nested builder, used by one thread, makes an immutable object that all threads read.
package modern;

public class StaticNestedBuilder {
    private final String host;
    private final int port;

    private StaticNestedBuilder(Builder builder) {
        host = builder.host;
        port = builder.port;
    }

    static class Builder {
        private String host = "localhost";
        private int port = 80;

        Builder host(String value) {
            host = value; //~ NORACE: the builder is local to its user
            return this;
        }

        Builder port(int value) {
            port = value; //~ NORACE: the builder is local to its user
            return this;
        }

        StaticNestedBuilder build() {
            return new StaticNestedBuilder(this);
        }
    }

    public static void main(String[] args) throws Exception {
        Runnable client = () -> {
            var target = new Builder().host("example").port(8080).build();
            if (target.port + target.host.length() < 0) { //~ NORACE: final fields
                throw new AssertionError();
            }
        };
        Thread a = new Thread(client);
        Thread b = new Thread(client);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("built");
    }
}
