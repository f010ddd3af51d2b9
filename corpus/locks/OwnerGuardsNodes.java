// The list's lock guards its nodes too: nodes are reachable only through the list and never leave it.
package locks;

public class OwnerGuardsNodes {
    private static class Node {
        int value;
        Node next;
    }

    private Node head;

    synchronized void push(int value) {
        Node node = new Node();
        node.value = value; //~ NORACE: not linked yet
        node.next = head; //~ NORACE: guarded by the list
        head = node; //~ NORACE: guarded by the list
    }

    synchronized int sum() {
        int sum = 0;
        for (Node node = head; node != null; node = node.next) { //~ NORACE: guarded by the list
            sum += node.value; //~ NORACE: guarded by the list
            node.value = 0; //~ NORACE: guarded by the list
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        OwnerGuardsNodes list = new OwnerGuardsNodes();
        Thread pusher = new Thread(() -> list.push(3));
        pusher.start();
        list.push(4);
        int early = list.sum();
        pusher.join();
        System.out.println(early + list.sum());
    }
}
