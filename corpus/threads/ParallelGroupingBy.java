// Parallel streams with collectors: grouping, joining, reducing; nothing outside is changed.
package threads;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class ParallelGroupingBy {
    static class Person {
        private final String town;
        private final int age;

        Person(String town, int age) {
            this.town = town; //~ NORACE: final
            this.age = age; //~ NORACE: final
        }
    }

    public static void main(String[] args) {
        List<Person> people = IntStream.range(0, 100).parallel()
            .mapToObj(i -> new Person(i % 2 == 0 ? "Bern" : "Basel", i)).collect(Collectors.toList());
        Map<String, List<Person>> byTown = people.parallelStream()
            .collect(Collectors.groupingBy(person -> person.town)); //~ NORACE: final
        Map<String, Long> counts = people.parallelStream()
            .collect(Collectors.groupingByConcurrent(person -> person.town, Collectors.counting()));
        int oldest = people.parallelStream().mapToInt(person -> person.age).max().orElse(0); //~ NORACE: final
        int[] ages = people.parallelStream().mapToInt(person -> person.age).toArray(); //~ NORACE: final
        Arrays.parallelSort(ages);
        System.out.println(byTown.size() + counts.size() + oldest + ages[0]); //~ NORACE: the streams are done
    }
}
