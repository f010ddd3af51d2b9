// A static counter under the class object, by a static synchronized method and by a block on the class literal.
package locks;

public class ClassObjectLock {
    private static int connections;

    static synchronized void opened() {
        connections++; //~ NORACE: guarded by the class object
    }

    void closed() {
        synchronized (ClassObjectLock.class) {
            connections--; //~ NORACE: guarded by the class object
        }
    }

    public static void main(String[] args) throws Exception {
        ClassObjectLock server = new ClassObjectLock();
        Thread a = new Thread(ClassObjectLock::opened);
        Thread b = new Thread(server::closed);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(connections);
    }
}
