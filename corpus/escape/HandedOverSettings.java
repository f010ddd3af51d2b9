// Settings are made by one thread and put into a plain field of the server, where a worker reads them.
package escape;

public class HandedOverSettings {
    static class Settings {
        private int limit;

        Settings(int limit) {
            this.limit = limit; //~ RACE
        }

        int limit() {
            return limit; //~ RACE
        }
    }

    private Settings settings;

    void load() {
        settings = new Settings(10); //~ RACE
    }

    void serve() {
        Settings now = settings; //~ RACE
        if (now != null && now.limit() < 0) {
            System.out.println("?");
        }
    }

    public static void main(String[] args) throws Exception {
        HandedOverSettings server = new HandedOverSettings();
        Thread worker = new Thread(server::serve);
        worker.start();
        server.load();
        worker.join();
        System.out.println("done");
    }
}
