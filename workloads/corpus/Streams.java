// Streams: sequential and parallel, collectors, flat maps, primitive streams, own spliterators and collectors.

import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Streams {
    record Person(String name, int age, String town) { }

    static class Countdown implements Iterator<Integer> {
        private int next;
        Countdown(int from) { next = from; }
        @Override public boolean hasNext() { return next > 0; }
        @Override public Integer next() { return next--; }
    }

    static boolean isPrime(int number) {
        return number > 1 && IntStream.rangeClosed(2, (int) Math.sqrt(number)).noneMatch(divisor -> number % divisor == 0);
    }

    public static void main(String[] args) {
        List<Person> people = List.of(new Person("Ada", 36, "London"), new Person("Alan", 41, "London"), new Person("Emmy", 53, "Erlangen"));
        System.out.println(people.stream().filter(person -> person.age() > 40).map(Person::name).collect(Collectors.joining(", ", "[", "]")));
        Map<String, Double> ages = people.stream().collect(Collectors.groupingBy(Person::town, TreeMap::new, Collectors.averagingInt(Person::age)));
        System.out.println(ages);
        System.out.println(people.stream().collect(Collectors.partitioningBy(person -> person.name().startsWith("A"), Collectors.counting())));
        System.out.println(people.stream().sorted(Comparator.comparing(Person::town).thenComparing(Person::age, Comparator.reverseOrder())).map(Person::name).toList());
        System.out.println(IntStream.range(0, 2000).parallel().filter(Streams::isPrime).sum());
        System.out.println(Stream.of("a b", "c").flatMap(text -> Arrays.stream(text.split(" "))).reduce("", String::concat));
        Iterable<Integer> countdown = () -> new Countdown(4);
        System.out.println(StreamSupport.stream(countdown.spliterator(), false).mapToInt(Integer::intValue).boxed().collect(Collectors.toSet()));
        System.out.println(Stream.iterate(1, value -> value * 2).limit(8).skip(2).peek(value -> { }).mapToLong(Long::valueOf).max().getAsLong());
        Collector<String, StringBuilder, String> reversed =
            Collector.of(StringBuilder::new, (builder, text) -> builder.insert(0, text), StringBuilder::append, StringBuilder::toString);
        System.out.println(Stream.of("x", "y", "z").collect(reversed));
        System.out.println(Stream.generate(new Supplier<String>() {
            private int calls;
            @Override public String get() { return "g" + calls++; }
        }).takeWhile(text -> !text.equals("g3")).collect(Collectors.toMap(Function.identity(), String::length)).size());
        System.out.println(IntStream.range(0, 500).parallel().boxed().collect(Collectors.groupingByConcurrent(value -> value % 3)).size());
        System.out.println(new Random(1).ints(5, 0, 10).distinct().summaryStatistics().getCount());
    }
}
