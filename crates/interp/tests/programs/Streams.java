import java.util.*;
import java.util.function.Function;
import java.util.stream.*;

/** Sequential streams: objects, ints, collectors, flat maps, lazy and infinite streams, short circuits. */
public class Streams {
    record Person(String name, int age, String city) {}

    public static void main(String[] args) {
        List<Person> people = List.of(new Person("Ann", 30, "Oslo"), new Person("Bob", 25, "Rome"), new Person("Cid", 35, "Oslo"),
            new Person("Dee", 25, "Paris"), new Person("Eve", 41, "Rome"));
        System.out.println(people.stream().filter(p -> p.age() > 26).map(Person::name).collect(Collectors.toList()));
        System.out.println(people.stream().mapToInt(Person::age).sum() + " " + people.stream().mapToInt(Person::age).average().getAsDouble());
        System.out.println(people.stream().sorted(Comparator.comparing(Person::age).thenComparing(Person::name, Comparator.reverseOrder())).map(Person::name).collect(Collectors.joining(",", "[", "]")));
        System.out.println(new TreeMap<>(people.stream().collect(Collectors.groupingBy(Person::city, Collectors.counting()))));
        System.out.println(people.stream().collect(Collectors.partitioningBy(p -> p.age() % 2 == 0, Collectors.mapping(Person::name, Collectors.toList()))));
        System.out.println("" + people.stream().collect(Collectors.toMap(Person::name, Person::age, (a, b) -> a, TreeMap::new)));
        System.out.println(IntStream.rangeClosed(1, 5).mapToObj(i -> "n" + i).collect(Collectors.joining()));
        System.out.println(Stream.iterate(1, x -> x * 3).limit(8).reduce(0, Integer::sum));
        System.out.println(IntStream.range(0, 50).filter(i -> i % 7 == 3).boxed().map(Integer::toBinaryString).toList());
        System.out.println(Stream.of("a b", "c d e", "").flatMap(s -> Arrays.stream(s.split(" "))).filter(s -> !s.isEmpty()).count());
        System.out.println("" + Stream.of(5, 3, 5, 1, 3).distinct().sorted().map(String::valueOf).collect(Collectors.toCollection(LinkedList::new)));
        List<String> seen = new ArrayList<>();
        Optional<Integer> first = Stream.of(1, 2, 3, 4, 5).peek(i -> seen.add("p" + i)).filter(i -> i > 2).findFirst();
        System.out.println(first.get() + " " + seen);
        System.out.println(IntStream.of(3, 1, 2).max().getAsInt() + " " + IntStream.empty().max().isPresent() + " " + LongStream.rangeClosed(1, 15).reduce(1, (a, b) -> a * b));
        System.out.println(DoubleStream.of(1.5, 2.5).map(d -> d * 2).sum() + " " + IntStream.range(0, 10).summaryStatistics());
        System.out.println(people.stream().anyMatch(p -> p.city().equals("Paris")) + " " + people.stream().allMatch(p -> p.age() > 26) + " " + people.stream().noneMatch(p -> p.name().isEmpty()));
        System.out.println("" + "hello world".chars().mapToObj(c -> (char) c).filter(Character::isLetter).collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting())));
        System.out.println(Arrays.stream(new int[][]{{1, 2}, {3}, {}}).flatMapToInt(Arrays::stream).sum() + " " + Stream.of(1, 2, 3, 4).skip(1).takeWhile(i -> i < 4).toList());
        System.out.println(IntStream.iterate(1, i -> i < 100, i -> i * 2).boxed().collect(Collectors.reducing(0, Integer::sum)) + Stream.concat(Stream.of("x"), Stream.of("y")).collect(Collectors.joining("+")));
        int[] sortedArray = IntStream.of(9, 4, 7).sorted().toArray();
        System.out.println(Arrays.toString(sortedArray) + Stream.of("b", "a").sorted().toArray(String[]::new)[0]);
        Stream<String> used = Stream.of("x");
        used.count();
        try {
            used.count();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
