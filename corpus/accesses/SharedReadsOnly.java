// A configuration object, filled before the threads start and only read afterwards: reads do not race with reads.
package accesses;

public class SharedReadsOnly {
    static class Config {
        int retries;
        String host;
    }

    static void connect(Config config) {
        String target = config.host + "#" + config.retries; //~ NORACE: written before start only
        if (target.isEmpty()) {
            throw new IllegalStateException();
        }
    }

    public static void main(String[] args) throws Exception {
        Config config = new Config();
        config.retries = 3; //~ NORACE: before the threads start
        config.host = "localhost";
        Thread a = new Thread(() -> connect(config));
        Thread b = new Thread(() -> connect(config));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("connected");
    }
}
