// selvedge: library=open.OldVectorLocked
// The growing array with every public method synchronized.
package open;

public class OldVectorLocked {
    private Object[] elementData = new Object[10];
    private int elementCount;

    public synchronized int size() {
        return elementCount; //~ NORACE: guarded by this
    }

    public synchronized int capacity() {
        return elementData.length; //~ NORACE: guarded by this
    }

    public synchronized Object elementAt(int index) {
        return elementData[index]; //~ NORACE: guarded by this
    }

    public synchronized void addElement(Object element) {
        ensureCapacity(elementCount + 1);
        elementData[elementCount++] = element; //~ NORACE: guarded by this
    }

    private void ensureCapacity(int needed) {
        if (needed > elementData.length) { //~ NORACE: the only caller holds this
            Object[] larger = new Object[needed * 2];
            System.arraycopy(elementData, 0, larger, 0, elementCount); //~ NORACE: the only caller holds this
            elementData = larger; //~ NORACE: the only caller holds this
        }
    }
}
