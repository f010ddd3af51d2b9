// Dynamic proxies: a logging handler, a handler that answers itself, object methods, default methods of interfaces.

import java.lang.reflect.*;
import java.util.*;

public class Proxies {
    public interface Greeter {
        String greet(String name);
        default String twice(String name) { return greet(greet(name)); }
    }

    static class Polite implements Greeter {
        @Override public String greet(String name) { return "dear " + name; }
    }

    static class Logging implements InvocationHandler {
        private final Object target;
        private final List<String> log = new ArrayList<>();

        Logging(Object target) { this.target = target; }

        @Override public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            log.add(method.getName());
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException wrapped) {
                throw wrapped.getCause();
            }
        }
    }

    @SuppressWarnings("unchecked")
    static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return (T) Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {type}, handler);
    }

    public static void main(String[] args) {
        Logging handler = new Logging(new Polite());
        Greeter greeter = proxy(Greeter.class, handler);
        System.out.println(greeter.greet("a") + ", " + greeter.twice("b"));
        System.out.println(greeter.equals(greeter) + " " + handler.log);

        Comparator<String> byLength = proxy(Comparator.class, (self, method, arguments) ->
            method.getName().equals("compare") ? ((String) arguments[0]).length() - ((String) arguments[1]).length() : null);
        List<String> words = new ArrayList<>(List.of("ccc", "a", "bb"));
        words.sort(byLength);
        System.out.println(words);

        Runnable failing = proxy(Runnable.class, (self, method, arguments) -> { throw new UnsupportedOperationException(method.getName()); });
        try {
            failing.run();
        } catch (UnsupportedOperationException expected) {
            System.out.println("failed in " + expected.getMessage());
        }
        Greeter defaults = proxy(Greeter.class, (self, method, arguments) ->
            method.isDefault() ? InvocationHandler.invokeDefault(self, method, arguments) : "<" + arguments[0] + ">");
        System.out.println(defaults.twice("x"));
    }
}
