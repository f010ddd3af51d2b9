// A small actor: sealed immutable messages go through a queue, and only the actor's thread touches its state.
package modern;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

public class SealedMessages {
    sealed interface Message permits Add, Ask, Stop {
    }

    record Add(int amount) implements Message {
    }

    record Ask(CompletableFuture<Integer> reply) implements Message {
    }

    record Stop() implements Message {
    }

    static class Actor extends Thread {
        final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
        private int balance;

        @Override
        public void run() {
            try {
                while (true) {
                    Message message = inbox.take();
                    if (message instanceof Add add) {
                        balance += add.amount(); //~ NORACE: the actor's own state
                    } else if (message instanceof Ask ask) {
                        ask.reply().complete(balance); //~ NORACE: the actor's own state
                    } else {
                        return;
                    }
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Actor account = new Actor();
        account.start();
        Thread payer = new Thread(() -> account.inbox.add(new Add(5)));
        payer.start();
        payer.join();
        account.inbox.add(new Add(7));
        var reply = new CompletableFuture<Integer>();
        account.inbox.add(new Ask(reply));
        System.out.println(reply.get());
        account.inbox.add(new Stop());
        account.join();
    }
}
