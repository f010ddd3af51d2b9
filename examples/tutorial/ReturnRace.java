import org.apache.commons.pool.BaseKeyedPoolableObjectFactory;
import org.apache.commons.pool.impl.GenericKeyedObjectPool;

/** One thread borrows under new keys while another returns objects that cannot be passivated. */
public class ReturnRace {
    public static void main(String[] arguments) throws Exception {
        GenericKeyedObjectPool<Integer, Object> pool =
                new GenericKeyedObjectPool<>(new BaseKeyedPoolableObjectFactory<Integer, Object>() {
                    @Override
                    public Object makeObject(Integer key) {
                        return new Object();
                    }

                    @Override
                    public void passivateObject(Integer key, Object value) {
                        throw new IllegalStateException("broken connection");
                    }
                });
        pool.setMaxTotal(-1);
        Object[] borrowed = new Object[1000];
        for (int i = 0; i < borrowed.length; i++) {
            borrowed[i] = pool.borrowObject(-1 - i);
        }
        Thread borrower = new Thread(() -> {
            for (int key = 0; key < 1000; key++) {
                try {
                    pool.borrowObject(key);
                } catch (Exception error) {
                    throw new IllegalStateException(error);
                }
            }
        });
        borrower.start();
        for (int i = 0; i < borrowed.length; i++) {
            pool.returnObject(-1 - i, borrowed[i]);
        }
        borrower.join();
    }
}
