// Two threads apply one compiled style sheet, interpreted by Xalan, to documents of their own.
// jars: xalan2 serializer

import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

public class Xalan {
    static final String STYLE = "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
        + "<xsl:output method='html'/><xsl:key name='by' match='book' use='@author'/>"
        + "<xsl:template match='/'><ul><xsl:apply-templates select='//book[price &gt; 10]'>"
        + "<xsl:sort select='price' data-type='number' order='descending'/></xsl:apply-templates></ul></xsl:template>"
        + "<xsl:template match='book'><li><xsl:value-of select=\"concat(title, ', ', @author)\"/>"
        + "<xsl:if test=\"count(key('by', @author)) &gt; 2\"> and <xsl:value-of select=\"count(key('by', @author)) - 1\"/> more</xsl:if>"
        + "</li></xsl:template></xsl:stylesheet>";

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        TransformerFactory factory = TransformerFactory.newInstance("org.apache.xalan.processor.TransformerFactoryImpl", null);
        Templates style = factory.newTemplates(new StreamSource(new StringReader(STYLE)));
        long[] lengths = new long[2];
        Thread[] threads = new Thread[2];
        for (int t = 0; t < threads.length; t++) {
            int part = t;
            threads[t] = new Thread(() -> lengths[part] = work(style, part, rounds));
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
        System.out.println("written " + lengths[0] + " and " + lengths[1]);
    }

    static long work(Templates style, int part, int rounds) {
        long written = 0;
        String document = document(60 + part);
        try {
            for (int i = 0; i < rounds; i++) {
                StringWriter out = new StringWriter();
                style.newTransformer().transform(new StreamSource(new StringReader(document)), new StreamResult(out));
                written += out.getBuffer().length();
            }
        } catch (TransformerException failed) {
            throw new IllegalStateException(failed);
        }
        return written;
    }

    static String document(int books) {
        StringBuilder text = new StringBuilder("<?xml version='1.0'?><shop>");
        for (int i = 0; i < books; i++) {
            text.append("<book author='a").append(i % 17).append("'><title>title ").append(i).append("</title><price>")
                .append(i * 3 % 50).append(".5</price></book>\n");
        }
        return text.append("</shop>").toString();
    }
}
