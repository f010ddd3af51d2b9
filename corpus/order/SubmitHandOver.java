// Submitting to an executor orders what was written before; what is written after the submission is not.
package order;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class SubmitHandOver {
    static class Mail {
        String to;
        boolean urgent;
    }

    static void send(Mail mail) {
        String head = mail.to + (mail.urgent ? "!" : ""); //~ RACE: urgent is set too late
        if (head.isEmpty()) {
            throw new IllegalStateException();
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService worker = Executors.newSingleThreadExecutor();
        Mail mail = new Mail();
        mail.to = "ann"; //~ NORACE: before the submission
        worker.execute(() -> send(mail));
        mail.urgent = true; //~ RACE
        worker.shutdown();
    }
}
