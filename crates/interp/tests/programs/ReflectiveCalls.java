import java.lang.reflect.*;
import java.util.*;

/** Core reflection: constructors, methods of every kind, fields, arrays, exceptions that are wrapped. */
public class ReflectiveCalls {
    interface Speaker {
        String speak(int times);
        default String twice() { return speak(2); }
    }

    public static class Dog implements Speaker {
        private int age = 3;
        public static String motto = "woof";
        private final String name;

        public Dog() { this("unnamed"); }

        public Dog(String name) { this.name = name; }

        public String speak(int times) { return name + " " + "wuff".repeat(times); }

        public long sum(byte a, short b, char c, int d, long e, float f, double g, boolean h) {
            return a + b + c + d + e + (long) f + (long) g + (h ? 1 : 0);
        }

        private int secret(int by) { return age += by; }

        static double half(double d) { return d / 2; }

        public void fail(String why) { throw new IllegalStateException(why); }
    }

    static class Puppy extends Dog {
        Puppy() { super("puppy"); }
        @Override public String speak(int times) { return super.speak(times).toUpperCase(); }
    }

    public static void main(String[] args) throws Exception {
        Object dog = Dog.class.getConstructor(String.class).newInstance("rex");
        Object unnamed = Dog.class.getDeclaredConstructor().newInstance();
        Method speak = Dog.class.getMethod("speak", int.class);
        System.out.println(speak.invoke(dog, 2) + ", " + speak.invoke(unnamed, 1) + ", " + speak.invoke(new Puppy(), 1));
        System.out.println(Speaker.class.getMethod("twice").invoke(dog));
        Method sum = Dog.class.getMethod("sum", byte.class, short.class, char.class, int.class, long.class, float.class, double.class, boolean.class);
        System.out.println(sum.invoke(dog, (byte) 1, (short) 2, 'a', 4, 5L, 6.5f, 7.5, true) + " " + sum.getParameterCount() + " " + sum.getReturnType());
        Method secret = Dog.class.getDeclaredMethod("secret", int.class);
        secret.setAccessible(true);
        for (int i = 0; i < 20; i++) secret.invoke(dog, 1);
        System.out.println(secret.invoke(dog, 0) + " " + Modifier.isPrivate(secret.getModifiers()));
        System.out.println(Dog.class.getDeclaredMethod("half", double.class).invoke(null, 5.0));
        Field age = Dog.class.getDeclaredField("age");
        age.setAccessible(true);
        age.setInt(dog, 100);
        age.set(unnamed, 7);
        System.out.println(age.getInt(dog) + " " + age.get(unnamed) + " " + Dog.class.getField("motto").get(null));
        Dog.class.getField("motto").set(null, "arf");
        System.out.println(Dog.motto);
        try {
            Dog.class.getMethod("fail", String.class).invoke(dog, "on purpose");
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause());
        }
        try {
            speak.invoke(dog);
        } catch (IllegalArgumentException e) {
            System.out.println("wrong number of arguments");
        }
        try {
            speak.invoke("not a dog", 1);
        } catch (IllegalArgumentException e) {
            System.out.println("wrong receiver");
        }
        try {
            Dog.class.getMethod("missing");
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        List<String> names = new ArrayList<>();
        for (Method m : Dog.class.getDeclaredMethods()) names.add(m.getName());
        Collections.sort(names);
        System.out.println(names + " " + Dog.class.getDeclaredFields().length);
        System.out.println(ReflectiveCalls.class.getMethod("main", String[].class));
        int[] numbers = (int[]) Array.newInstance(int.class, 3);
        Array.set(numbers, 1, 5);
        System.out.println(Array.get(numbers, 1) + " " + Array.getLength(numbers) + " " + Class.forName("ReflectiveCalls$Puppy").getSuperclass().getSimpleName());
    }
}
