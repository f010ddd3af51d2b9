// The twin that changes the configuration after the threads are running: the late write races with their reads.
package accesses;

public class LateConfiguration {
    static class Config {
        int retries;
        String host = "localhost";
    }

    static int connect(Config config) {
        return config.retries + config.host.length(); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        Config config = new Config();
        config.retries = 1; //~ NORACE: before the threads start
        Thread a = new Thread(() -> connect(config));
        Thread b = new Thread(() -> connect(config));
        a.start();
        b.start();
        config.retries = 3; //~ RACE
        a.join();
        b.join();
    }
}
