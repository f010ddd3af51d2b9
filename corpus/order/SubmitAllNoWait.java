// The same downloads submitted one by one and never waited for.
package order;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class SubmitAllNoWait {
    static class Download implements Callable<Void> {
        int bytes;

        @Override
        public Void call() {
            bytes = 100; //~ RACE
            return null;
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Download> downloads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Download download = new Download();
            downloads.add(download);
            pool.submit(download);
        }
        int sum = 0;
        for (Download download : downloads) {
            sum += download.bytes; //~ RACE
        }
        pool.shutdown();
        System.out.println(sum >= 0);
    }
}
