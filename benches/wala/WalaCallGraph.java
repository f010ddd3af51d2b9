// Runs WALA's context-insensitive analyses on a jar with all its public methods as entry points, and prints the sizes of
// the result in the form that scripts/bench-points-to reads.
//
// java -cp WALA-JARS:. WalaCallGraph 0-cfa|0-1-cfa APPLICATION.jar LIBRARY.jar[:...]

import com.ibm.wala.classLoader.IClass;
import com.ibm.wala.classLoader.IMethod;
import com.ibm.wala.classLoader.Language;
import com.ibm.wala.ipa.callgraph.AnalysisCacheImpl;
import com.ibm.wala.ipa.callgraph.AnalysisOptions;
import com.ibm.wala.ipa.callgraph.AnalysisScope;
import com.ibm.wala.ipa.callgraph.CGNode;
import com.ibm.wala.ipa.callgraph.CallGraph;
import com.ibm.wala.ipa.callgraph.CallGraphBuilder;
import com.ibm.wala.ipa.callgraph.Context;
import com.ibm.wala.ipa.callgraph.Entrypoint;
import com.ibm.wala.ipa.callgraph.impl.DefaultEntrypoint;
import com.ibm.wala.ipa.callgraph.impl.Util;
import com.ibm.wala.ipa.callgraph.propagation.InstanceKey;
import com.ibm.wala.ipa.callgraph.propagation.LocalPointerKey;
import com.ibm.wala.ipa.callgraph.propagation.PointerAnalysis;
import com.ibm.wala.ipa.callgraph.propagation.PointerKey;
import com.ibm.wala.ipa.cha.ClassHierarchy;
import com.ibm.wala.ipa.cha.ClassHierarchyFactory;
import com.ibm.wala.types.ClassLoaderReference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;

public class WalaCallGraph {
    public static void main(String[] arguments) throws Exception {
        AnalysisScope scope = AnalysisScope.createJavaAnalysisScope();
        for (String library : arguments[2].split(":")) {
            scope.addToScope(ClassLoaderReference.Primordial, new JarFile(library));
        }
        scope.addToScope(ClassLoaderReference.Application, new JarFile(arguments[1]));
        ClassHierarchy hierarchy = ClassHierarchyFactory.make(scope);
        List<Entrypoint> entries = new ArrayList<>();
        for (IClass type : hierarchy) {
            if (type.getClassLoader().getReference().equals(ClassLoaderReference.Application)
                    && type.isPublic() && !type.isInterface()) {
                for (IMethod method : type.getDeclaredMethods()) {
                    if (method.isPublic() && !method.isAbstract()) {
                        entries.add(new DefaultEntrypoint(method, hierarchy));
                    }
                }
            }
        }
        AnalysisOptions options = new AnalysisOptions(scope, entries);
        AnalysisCacheImpl cache = new AnalysisCacheImpl();
        CallGraphBuilder<InstanceKey> builder = arguments[0].equals("0-cfa")
                ? Util.makeZeroCFABuilder(Language.JAVA, options, cache, hierarchy, scope)
                : Util.makeZeroOneCFABuilder(Language.JAVA, options, cache, hierarchy, scope);
        CallGraph graph = builder.makeCallGraph(options, null);
        System.out.println("processor-seconds " + processorSeconds());
        System.out.println("peak-bytes " + peakBytes());
        Set<IMethod> methods = new HashSet<>();
        Set<Context> contexts = new HashSet<>();
        long edges = 0;
        for (CGNode node : graph) {
            methods.add(node.getMethod());
            contexts.add(node.getContext());
            edges += graph.getSuccNodeCount(node);
        }
        long facts = 0;
        PointerAnalysis<InstanceKey> pointers = builder.getPointerAnalysis();
        for (PointerKey key : pointers.getPointerKeys()) {
            if (key instanceof LocalPointerKey) {
                facts += pointers.getPointsToSet(key).size();
            }
        }
        System.out.println("methods " + methods.size());
        System.out.println("instances " + graph.getNumberOfNodes());
        System.out.println("contexts " + contexts.size());
        System.out.println("call-edges " + edges);
        System.out.println("variable-facts " + facts);
    }

    // Of this process so far, compilation and garbage collection included.
    static double processorSeconds() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / 100.0;
    }

    static long peakBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        return 0;
    }
}
