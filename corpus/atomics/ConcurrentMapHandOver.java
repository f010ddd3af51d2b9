// An object is completed, put into a concurrent map and only read by those who find it there.
package atomics;

import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentMapHandOver {
    static class Session {
        String user;
        long expires;
    }

    private static final ConcurrentHashMap<String, Session> SESSIONS = new ConcurrentHashMap<>();

    public static void main(String[] args) throws Exception {
        Thread login = new Thread(() -> {
            Session session = new Session();
            session.user = "ann"; //~ NORACE: before put
            session.expires = 1000L; //~ NORACE: before put
            SESSIONS.put("token", session);
        });
        login.start();
        Session found = SESSIONS.get("token");
        if (found != null) {
            System.out.print(found.user.isEmpty() ? "?" : ""); //~ NORACE: put before get
        }
        login.join();
        System.out.println(SESSIONS.get("token").expires); //~ NORACE: put before get
    }
}
