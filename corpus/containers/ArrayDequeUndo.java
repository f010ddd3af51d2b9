// An editor's undo stack: the autosave thread peeks while the user pushes.
package containers;

import java.util.ArrayDeque;
import java.util.Deque;

public class ArrayDequeUndo {
    private final Deque<String> undo = new ArrayDeque<>();

    void type(String text) {
        undo.push(text); //~ RACE
    }

    String snapshot() {
        return undo.peek(); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        ArrayDequeUndo editor = new ArrayDequeUndo();
        Thread autosave = new Thread(editor::snapshot);
        autosave.start();
        editor.type("hello");
        editor.type("world");
        autosave.join();
        System.out.println(editor.snapshot());
    }
}
