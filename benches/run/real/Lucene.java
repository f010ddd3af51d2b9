// A Lucene index in memory: two threads add documents, then two search it.
// jars: lucene-core lucene-analyzers-common lucene-queryparser

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

public class Lucene {
    static final String[] WORDS = "warp weft thread loom cloth edge hem seam yarn knot spool shuttle".split(" ");

    public static void main(String[] args) throws Exception {
        int documents = args.length > 0 ? Integer.parseInt(args[0]) : 2000;
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
                all(pool, part -> {
                    for (int i = part; i < documents; i += 2) writer.addDocument(document(i));
                    return documents;
                });
                writer.commit();
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                System.out.println("documents " + reader.numDocs());
                System.out.println("hits " + all(pool, part -> search(searcher, part, documents / 2)));
            }
        }
        pool.shutdown();
    }

    interface Work {
        long run(int part) throws Exception;
    }

    static long all(ExecutorService pool, Work work) throws Exception {
        List<Future<Long>> results = new ArrayList<>();
        for (int part = 0; part < 2; part++) {
            int number = part;
            Callable<Long> task = () -> work.run(number);
            results.add(pool.submit(task));
        }
        long sum = 0;
        for (Future<Long> result : results) sum += result.get();
        return sum;
    }

    static Document document(int number) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++) text.append(WORDS[(number * 7 + i * i) % WORDS.length]).append(' ');
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(number), Field.Store.YES));
        document.add(new TextField("text", text.toString(), Field.Store.NO));
        return document;
    }

    static long search(IndexSearcher searcher, int part, int queries) throws Exception {
        long hits = 0;
        for (int i = part; i < queries; i += 2) {
            BooleanQuery query = new BooleanQuery.Builder()
                .add(new TermQuery(new Term("text", WORDS[i % WORDS.length])), BooleanClause.Occur.MUST)
                .add(new TermQuery(new Term("text", WORDS[(i * 5 + 1) % WORDS.length])), BooleanClause.Occur.SHOULD)
                .build();
            // How many it says there are in all depends on how the two threads have divided the index.
            hits += searcher.search(query, 10).scoreDocs.length;
        }
        return hits;
    }
}
