// A management bean: the platform's connector threads may call the attributes at any time after the registration.
package frameworks;

import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

public class CacheControl {
    public interface CacheMBean {
        int getLimit();

        void setLimit(int limit);

        int getSize();
    }

    public static class Cache implements CacheMBean {
        private int limit = 10;
        private volatile int size;

        @Override
        public int getLimit() {
            return limit; //~ RACE: two connector threads may read and set
        }

        @Override
        public void setLimit(int limit) {
            this.limit = limit; //~ RACE
        }

        @Override
        public int getSize() {
            return size; //~ NORACE: volatile
        }

        void fill() {
            while (size < limit) { //~ RACE
                size = size + 1; //~ NORACE: volatile, and only main writes
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Cache cache = new Cache();
        ManagementFactory.getPlatformMBeanServer().registerMBean(cache, new ObjectName("corpus:type=Cache"));
        cache.fill();
        System.out.println(cache.getSize());
    }
}
