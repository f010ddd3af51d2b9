// Each list guards its own chain, but one node is put into both: two owners, two locks, one node.
package locks;

public class TwoListsOneNode {
    static class Node {
        int value;
    }

    static class Chain {
        private Node head;

        synchronized void add(Node node) {
            head = node; //~ NORACE: one chain for each thread, guarded anyway
        }

        synchronized void bump() {
            head.value++; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        Node node = new Node();
        Chain first = new Chain();
        Chain second = new Chain();
        first.add(node);
        second.add(node);
        Thread a = new Thread(first::bump);
        Thread b = new Thread(second::bump);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
