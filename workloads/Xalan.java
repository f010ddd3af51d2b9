// XSLT transformations of generated documents, interpreted and compiled, by several threads with Xalan's own factories.
// jars: xalan2 serializer

import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.*;
import javax.xml.transform.dom.DOMResult;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.sax.*;
import javax.xml.transform.stream.*;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

public class Xalan {
    static final String STYLE = "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
        + "<xsl:output method='html' indent='yes'/><xsl:key name='by-author' match='book' use='@author'/>"
        + "<xsl:param name='title' select=\"'none'\"/><xsl:variable name='count' select='count(//book)'/>"
        + "<xsl:decimal-format name='d' decimal-separator=',' grouping-separator='.'/>"
        + "<xsl:template match='/'><html><head><title><xsl:value-of select='$title'/></title></head><body>"
        + "<xsl:apply-templates select='shop/book'><xsl:sort select='price' data-type='number' order='descending'/>"
        + "<xsl:sort select='@author'/></xsl:apply-templates><p><xsl:value-of select=\"format-number(sum(//price), '#.##0,00', 'd')\"/></p>"
        + "<xsl:call-template name='loop'><xsl:with-param name='n' select='5'/></xsl:call-template></body></html></xsl:template>"
        + "<xsl:template match='book'><div class='{@author}'><xsl:number level='any'/><xsl:text>. </xsl:text>"
        + "<xsl:choose><xsl:when test=\"contains(title, '3')\"><b><xsl:value-of select=\"translate(title, 'abc', 'ABC')\"/></b></xsl:when>"
        + "<xsl:otherwise><xsl:copy-of select='title'/></xsl:otherwise></xsl:choose>"
        + "<xsl:if test='position() mod 2 = 0'><xsl:for-each select=\"key('by-author', @author)\"><i>"
        + "<xsl:value-of select=\"concat(substring-before(title, ' '), '/', string-length(normalize-space(title)))\"/></i></xsl:for-each></xsl:if>"
        + "<xsl:attribute name='late'><xsl:value-of select='generate-id(.)=generate-id(..)'/></xsl:attribute></div></xsl:template>"
        + "<xsl:template name='loop'><xsl:param name='n'/><xsl:if test='$n &gt; 0'><xsl:comment>at <xsl:value-of select='$n'/></xsl:comment>"
        + "<xsl:call-template name='loop'><xsl:with-param name='n' select='$n - 1'/></xsl:call-template></xsl:if></xsl:template>"
        + "</xsl:stylesheet>";

    static final String COPY = "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
        + "<xsl:output method='xml' cdata-section-elements='title'/><xsl:strip-space elements='*'/>"
        + "<xsl:template match='@*|node()'><xsl:copy><xsl:apply-templates select='@*|node()'/></xsl:copy></xsl:template>"
        + "<xsl:template match=\"book[price &lt; 20]\"/><xsl:template match='title' mode='loud'/></xsl:stylesheet>";

    public static void main(String[] args) throws Exception {
        String[] factories = {"org.apache.xalan.processor.TransformerFactoryImpl", "org.apache.xalan.xsltc.trax.TransformerFactoryImpl"};
        for (String name : factories) {
            TransformerFactory factory = TransformerFactory.newInstance(name, null);
            factory.setErrorListener(new Quiet());
            Templates style = factory.newTemplates(new StreamSource(new StringReader(STYLE)));
            Templates copy = factory.newTemplates(new StreamSource(new StringReader(COPY)));
            parallel(style, copy);
            System.out.println("dom " + viaDom(copy));
            System.out.println("sax " + viaSax((SAXTransformerFactory) factory, style));
            System.out.println("bad " + broken(factory));
        }
        System.out.println("xpath " + xpath());
    }

    static String document(int books) {
        StringBuilder text = new StringBuilder("<?xml version='1.0'?><!-- generated --><shop open='yes'>");
        for (int i = 0; i < books; i++) {
            text.append("<book author='a").append(i % 7).append("'><title>title ").append(i)
                .append(" &amp; more</title><price>").append(i * 3).append(".5</price><?note n").append(i).append("?></book>\n");
        }
        return text.append("</shop>").toString();
    }

    static void parallel(Templates style, Templates copy) throws Exception {
        List<Thread> threads = new ArrayList<>();
        int[] lengths = new int[3];
        for (int t = 0; t < lengths.length; t++) {
            int number = t;
            Thread thread = new Thread(() -> lengths[number] = transform(number == 0 ? copy : style, 12 + number).length());
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("lengths " + (lengths[0] > 0 && lengths[1] > 0 && lengths[2] > lengths[1]));
    }

    static String transform(Templates templates, int books) {
        try {
            Transformer transformer = templates.newTransformer();
            transformer.setParameter("title", "list of " + books);
            transformer.setOutputProperty(OutputKeys.ENCODING, "US-ASCII");
            StringWriter out = new StringWriter();
            transformer.transform(new StreamSource(new StringReader(document(books))), new StreamResult(out));
            return out.toString();
        } catch (TransformerException failed) {
            throw new IllegalStateException(failed);
        }
    }

    static int viaDom(Templates copy) throws Exception {
        DocumentBuilderFactory builders = DocumentBuilderFactory.newInstance();
        builders.setNamespaceAware(true);
        Document document = builders.newDocumentBuilder().parse(new InputSource(new StringReader(document(9))));
        DOMResult result = new DOMResult();
        copy.newTransformer().transform(new DOMSource(document), result);
        return ((Document) result.getNode()).getDocumentElement().getChildNodes().getLength();
    }

    static boolean viaSax(SAXTransformerFactory factory, Templates style) throws Exception {
        TransformerHandler handler = factory.newTransformerHandler(style);
        StringWriter out = new StringWriter();
        handler.setResult(new StreamResult(out));
        Transformer identity = factory.newTransformer();
        identity.transform(new StreamSource(new StringReader(document(4))), new SAXResult(handler));
        return out.toString().contains("<body>");
    }

    static boolean broken(TransformerFactory factory) {
        try {
            factory.newTemplates(new StreamSource(new StringReader(STYLE.replace("match='/'", "match='/['"))));
            return false;
        } catch (TransformerConfigurationException expected) {
            return true;
        }
    }

    static double xpath() throws Exception {
        Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(new InputSource(new StringReader(document(6))));
        javax.xml.xpath.XPath xpath = new org.apache.xpath.jaxp.XPathFactoryImpl().newXPath();
        return (Double) xpath.evaluate("sum(//price[. > 5]) + count(//book[last()]/preceding-sibling::*)", document,
            javax.xml.xpath.XPathConstants.NUMBER);
    }

    static class Quiet implements ErrorListener {
        @Override public void warning(TransformerException problem) { }
        @Override public void error(TransformerException problem) throws TransformerException { throw problem; }
        @Override public void fatalError(TransformerException problem) throws TransformerException { throw problem; }
    }
}
