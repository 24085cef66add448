package dev.agentloop.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** One word per thing: docs/vocabulary.md. */
class VocabularyTest {
    /** A part of a name that another project would use, and our word for it. */
    private static final Map<String, String> OTHER_WORDS = new LinkedHashMap<>();

    static {
        OTHER_WORDS.put("Turn", "run or step");
        OTHER_WORDS.put("Iteration", "step");
        OTHER_WORDS.put("Conversation", "session");
        OTHER_WORDS.put("Observation", "tool result");
        OTHER_WORDS.put("FunctionCall", "tool call");
        OTHER_WORDS.put("ToolInvocation", "tool call");
        OTHER_WORDS.put("Termination", "stop reason");
        OTHER_WORDS.put("Middleware", "watchdog or hook");
        OTHER_WORDS.put("Callback", "hook");
        OTHER_WORDS.put("Plugin", "hook");
        OTHER_WORDS.put("Compress", "compaction");
        OTHER_WORDS.put("Backend", "provider");
        OTHER_WORDS.put("Vendor", "provider");
    }

    private static final Pattern EMPTY_NAME =
            Pattern.compile("(Default|Abstract)[A-Z]\\w*|\\w*(Impl|Manager|Utils?|Helpers?)");

    /**
     * The port that keeps the history within the window, and the limit of a run as the contract of
     * the library names it.
     */
    private static final Set<String> KEPT = Set.of("ContextManager", "MaxTurns", "maxTurns");

    @Test
    void namesUseOurWords() throws IOException {
        List<String> guilty = new ArrayList<>();
        for (Name name : names()) {
            for (Map.Entry<String, String> other : OTHER_WORDS.entrySet()) {
                if (saysWord(name.text(), other.getKey()) && !KEPT.contains(name.text())) {
                    guilty.add(name + " (our word: " + other.getValue() + ")");
                }
            }
        }

        assertEquals(List.of(), guilty);
    }

    @Test
    void aSessionIsNoThreadAndAToolCallNoInvocation() throws IOException {
        List<Name> guilty =
                names().stream()
                        .filter(name -> name.kind() == Kind.TYPE)
                        .filter(name -> name.text().matches(".*(Thread|Invocation).*"))
                        .filter(name -> !name.file().endsWith("/cli/command/Invocation.java"))
                        .toList();

        assertEquals(List.of(), guilty);
    }

    @Test
    void noTypeHasAnEmptyName() throws IOException {
        List<Name> guilty =
                names().stream()
                        .filter(name -> name.kind() == Kind.TYPE)
                        .filter(name -> EMPTY_NAME.matcher(name.text()).matches())
                        .filter(name -> !KEPT.contains(name.text()))
                        .toList();

        assertEquals(List.of(), guilty);
    }

    @Test
    void accessorsDoWithoutGet() throws IOException {
        List<Name> guilty =
                names().stream()
                        .filter(name -> name.kind() == Kind.METHOD)
                        .filter(name -> name.text().matches("get[A-Z]\\w*"))
                        .toList();

        assertEquals(List.of(), guilty);
    }

    /** As a whole word of a camel-case name: turn, myTurn, TurnLimit; not return. */
    private static boolean saysWord(String name, String word) {
        String first = word.substring(0, 1).toLowerCase(Locale.ROOT) + word.substring(1);
        return name.matches(".*" + word + "([A-Z_0-9].*|s?$)")
                || name.matches(first + "([A-Z_0-9].*|s?$)");
    }

    private enum Kind {
        TYPE,
        METHOD
    }

    private record Name(Kind kind, String text, String file) {}

    /** Every type and method that main code declares, as the compiler reads it. */
    private static List<Name> names() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Name> names = new ArrayList<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            var sources =
                    files.getJavaFileObjectsFromPaths(
                            Sources.MAIN.files().stream().map(Sources.Source::file).toList());
            JavacTask task =
                    (JavacTask) compiler.getTask(null, files, null, List.of(), null, sources);
            for (CompilationUnitTree unit : task.parse()) {
                String file = unit.getSourceFile().getName();
                unit.accept(new Declarations(names, file), null);
            }
        }
        return names;
    }

    private static final class Declarations extends TreeScanner<Void, Void> {
        private final List<Name> names;
        private final String file;

        Declarations(List<Name> names, String file) {
            this.names = names;
            this.file = file;
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            add(Kind.TYPE, type.getSimpleName());
            return super.visitClass(type, unused);
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            boolean overrides =
                    method.getModifiers().getAnnotations().stream()
                            .anyMatch(a -> a.getAnnotationType().toString().equals("Override"));
            if (!overrides) {
                add(Kind.METHOD, method.getName());
            }
            return super.visitMethod(method, unused);
        }

        private void add(Kind kind, CharSequence name) {
            names.add(new Name(kind, name.toString(), file));
        }
    }
}
