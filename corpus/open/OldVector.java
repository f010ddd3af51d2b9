// selvedge: library=open.OldVector
// A growing array of the kind that Java 1.1 had: changes lock, but size, capacity and isEmpty read the fields without.
package open;

public class OldVector {
    private Object[] elementData = new Object[10];
    private int elementCount;

    public int size() {
        return elementCount; //~ RACE
    }

    public boolean isEmpty() {
        return elementCount == 0; //~ RACE
    }

    public int capacity() {
        return elementData.length; //~ RACE
    }

    public synchronized Object elementAt(int index) {
        if (index >= elementCount) { //~ NORACE: all writes hold this lock
            throw new ArrayIndexOutOfBoundsException(index);
        }
        return elementData[index]; //~ NORACE: guarded by this
    }

    public synchronized void addElement(Object element) {
        if (elementCount == elementData.length) { //~ NORACE: all writes hold this lock
            Object[] larger = new Object[elementCount * 2];
            System.arraycopy(elementData, 0, larger, 0, elementCount); //~ NORACE: guarded by this
            elementData = larger; //~ RACE
        }
        elementData[elementCount] = element; //~ NORACE: guarded by this
        elementCount++; //~ RACE
    }

    public synchronized void removeAllElements() {
        for (int i = 0; i < elementCount; i++) {
            elementData[i] = null; //~ NORACE: guarded by this
        }
        elementCount = 0; //~ RACE
    }
}
