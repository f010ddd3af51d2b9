// A write through java.lang.reflect.Field is a write of that field, at the line of the call.
package accesses;

import java.lang.reflect.Field;

public class ReflectiveWrite {
    private int limit = 1;

    public static void main(String[] args) throws Exception {
        ReflectiveWrite settings = new ReflectiveWrite();
        Field field = ReflectiveWrite.class.getDeclaredField("limit");
        Thread loader = new Thread(() -> {
            try {
                field.set(settings, 9); //~ RACE
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        });
        loader.start();
        System.out.println(settings.limit > 0); //~ RACE
        loader.join();
    }
}
