import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Indexes the texts of licences that every Debian system has, paragraph by paragraph, and ranks answers to queries. */
public class Search {
    static final class Posting {
        final int document;
        int count;
        int[] positions = new int[2];

        Posting(int document) {
            this.document = document;
        }

        void add(int position) {
            if (count == positions.length) positions = java.util.Arrays.copyOf(positions, 2 * count);
            positions[count++] = position;
        }
    }

    static final class Postings {
        private final List<Posting> list = new ArrayList<>();

        synchronized void add(Posting posting) {
            list.add(posting);
        }

        void sort() {
            list.sort((a, b) -> Integer.compare(a.document, b.document));
        }
    }

    static final class Document {
        final int number;
        final String text;
        int length;

        Document(int number, String text) {
            this.number = number;
            this.text = text;
        }
    }

    private final Map<String, Postings> index = new ConcurrentHashMap<>();
    private final List<Document> documents;

    Search(List<Document> documents) {
        this.documents = documents;
    }

    static String stem(String word) {
        if (word.length() > 5 && word.endsWith("ing")) return word.substring(0, word.length() - 3);
        if (word.length() > 4 && word.endsWith("ed")) return word.substring(0, word.length() - 2);
        if (word.length() > 3 && word.endsWith("s") && !word.endsWith("ss")) return word.substring(0, word.length() - 1);
        return word;
    }

    static List<String> words(String text) {
        List<String> found = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ' ';
            if (Character.isLetterOrDigit(c)) {
                word.append(Character.toLowerCase(c));
            } else if (word.length() > 0) {
                found.add(stem(word.toString()));
                word.setLength(0);
            }
        }
        return found;
    }

    private void index(Document document) {
        Map<String, Posting> own = new HashMap<>();
        int position = 0;
        for (String word : words(document.text)) {
            own.computeIfAbsent(word, key -> new Posting(document.number)).add(position++);
        }
        document.length = position;
        own.forEach((word, posting) -> index.computeIfAbsent(word, key -> new Postings()).add(posting));
    }

    void build() throws InterruptedException {
        ConcurrentLinkedQueue<Document> waiting = new ConcurrentLinkedQueue<>(documents);
        Runnable work = () -> {
            for (Document next = waiting.poll(); next != null; next = waiting.poll()) index(next);
        };
        Thread[] workers = {new Thread(work), new Thread(work)};
        for (Thread worker : workers) worker.start();
        for (Thread worker : workers) worker.join();
        for (Postings postings : index.values()) postings.sort();
    }

    /** The documents that answer best, by frequency of the words and how near they stand to each other. */
    List<Integer> query(String text) {
        Map<Integer, Double> scores = new TreeMap<>();
        Map<Integer, Posting> before = Collections.emptyMap();
        for (String word : words(text.toLowerCase(Locale.ROOT))) {
            Postings postings = index.get(word);
            if (postings == null) continue;
            List<Posting> list = postings.list;
            double weight = Math.log((1.0 + documents.size()) / list.size());
            Map<Integer, Posting> here = new HashMap<>();
            for (Posting posting : list) {
                double length = documents.get(posting.document).length;
                double score = weight * posting.count / (posting.count + 0.5 + length / 100);
                Posting other = before.get(posting.document);
                if (other != null && near(other, posting)) score *= 2;
                scores.merge(posting.document, score, Double::sum);
                here.put(posting.document, posting);
            }
            before = here;
        }
        return scores.entrySet().stream()
            .sorted((a, b) -> a.getValue().equals(b.getValue()) ? a.getKey() - b.getKey() : Double.compare(b.getValue(), a.getValue()))
            .limit(10).map(Map.Entry::getKey).collect(Collectors.toList());
    }

    private static boolean near(Posting first, Posting second) {
        int i = 0;
        int j = 0;
        while (i < first.count && j < second.count) {
            int distance = second.positions[j] - first.positions[i];
            if (distance > 0 && distance < 4) return true;
            if (distance <= 0) j++;
            else i++;
        }
        return false;
    }

    private static List<Document> corpus() throws IOException {
        List<Document> found = new ArrayList<>();
        List<Path> files;
        try (Stream<Path> list = Files.list(Path.of("/usr/share/common-licenses"))) {
            files = list.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
        }
        for (Path file : files) {
            for (String part : Files.readString(file, StandardCharsets.ISO_8859_1).split("\n\\s*\n")) {
                found.add(new Document(found.size(), part));
            }
        }
        return found;
    }

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        List<Document> corpus = corpus();
        Search last = null;
        for (int round = 0; round < rounds; round++) {
            last = new Search(corpus);
            last.build();
        }
        Search search = last;
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<List<Integer>>> answers = new ArrayList<>();
        for (int i = 0; i < 60 * rounds; i++) {
            String[] words = corpus.get(i * 131 % corpus.size()).text.split("\\s+");
            String query = words[i % words.length] + " " + words[(i + 1) % words.length] + " license software free";
            answers.add(pool.submit(() -> search.query(query)));
        }
        int hash = 0;
        for (Future<List<Integer>> answer : answers) hash = 31 * hash + answer.get().hashCode();
        pool.shutdown();
        System.out.println(search.index.size() > 1000 ? "indexed" : "too little");
        System.out.println(hash);
    }
}
