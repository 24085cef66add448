package dev.agentloop.docs;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * What the seeds ask for, row by row: the classes that do it and the tests that show it.
 *
 * <p>A row is {@code ID behaviour} and, below it, indented, {@code by:} classes, {@code shown:} up
 * to three tests as {@code Class#method}, and {@code open:} what is missing. Classes stand without
 * {@code dev.agentloop.}; a row may be open in part.
 */
record SeedsTable(List<Row> rows) {
    private static final String ROOT = "dev.agentloop.";
    private static final int MAX_TESTS = 3;
    private static final int MAX_WORDS = 90; // characters of a behaviour: one line of the page

    /**
     * One behaviour.
     *
     * @param open what is missing; empty if nothing is
     */
    record Row(String id, String behaviour, List<String> classes, List<String> tests, String open) {
        String line() {
            String missing = open.isEmpty() ? "" : "**open:** " + open;
            return "| %s | %s | %s | %s |\n"
                    .formatted(
                            id,
                            behaviour,
                            code(classes),
                            code(tests)
                                    + (missing.isEmpty() || tests.isEmpty() ? "" : "; ")
                                    + missing);
        }

        private static String code(List<String> names) {
            return String.join(", ", names.stream().map(name -> "`" + shown(name) + "`").toList());
        }

        /** Without packages; a contract is shown by the test that it is part of. */
        private static String shown(String name) {
            int hash = name.indexOf('#');
            String type = hash < 0 ? name : name.substring(0, hash);
            String method = hash < 0 ? "" : name.substring(hash);
            return type.substring(type.lastIndexOf('.') + 1).replace('$', '.') + method;
        }
    }

    static SeedsTable read(Path file) throws IOException {
        return parse(Files.readAllLines(file));
    }

    static SeedsTable parse(List<String> lines) {
        List<Row> rows = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("  ")) {
                rows.add(with(rows.removeLast(), line.strip()));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split(" ", 2);
                rows.add(new Row(parts[0], parts[1].strip(), List.of(), List.of(), ""));
            }
        }
        return new SeedsTable(List.copyOf(rows));
    }

    private static Row with(Row row, String field) {
        String[] parts = field.split(": ", 2);
        return switch (parts[0]) {
            case "by" ->
                    new Row(row.id(), row.behaviour(), names(parts[1]), row.tests(), row.open());
            case "shown" ->
                    new Row(row.id(), row.behaviour(), row.classes(), names(parts[1]), row.open());
            case "open" -> new Row(row.id(), row.behaviour(), row.classes(), row.tests(), parts[1]);
            default -> throw new IllegalArgumentException(row.id() + ": " + field);
        };
    }

    private static List<String> names(String list) {
        return Arrays.stream(list.split(",")).map(String::strip).toList();
    }

    List<String> ids() {
        return rows.stream().map(Row::id).toList();
    }

    List<String> openIds() {
        return rows.stream().filter(row -> !row.open().isEmpty()).map(Row::id).toList();
    }

    /** The rows of one seed, S0 to S4, as a table of a page. */
    String page(String seed) {
        StringBuilder table = new StringBuilder("| row | behaviour | done by | shown by |\n");
        table.append("|---|---|---|---|\n");
        rows.stream()
                .filter(row -> row.id().startsWith(seed + "-"))
                .forEach(row -> table.append(row.line()));
        return table.toString();
    }

    /** What is wrong with the rows, each named. */
    List<String> problems() {
        return rows.stream().flatMap(SeedsTable::problems).toList();
    }

    private static Stream<String> problems(Row row) {
        List<String> found = new ArrayList<>();
        if (row.open().isEmpty() && row.classes().isEmpty()) {
            found.add("no class does it");
        }
        if (row.open().isEmpty() && row.tests().isEmpty()) {
            found.add("no test shows it, and it is not marked open");
        }
        if (row.tests().size() > MAX_TESTS) {
            found.add("more than " + MAX_TESTS + " tests");
        }
        if (row.behaviour().length() > MAX_WORDS) {
            found.add("more than " + MAX_WORDS + " characters");
        }
        row.classes().stream()
                .map(SeedsTable::problemOfClass)
                .forEach(it -> it.ifPresent(found::add));
        row.tests().stream().map(SeedsTable::problemOfTest).forEach(it -> it.ifPresent(found::add));
        return found.stream().map(problem -> row.id() + ": " + problem);
    }

    private static Optional<String> problemOfClass(String name) {
        String outer = name.replaceFirst("\\$.*$", "").replace('.', '/');
        boolean there =
                Files.exists(Path.of("src/main/java/dev/agentloop", outer + ".java"))
                        && type(name).isPresent();
        return there ? Optional.empty() : Optional.of("there is no class " + name);
    }

    private static Optional<String> problemOfTest(String name) {
        String[] parts = name.split("#", 2);
        Optional<Class<?>> type = type(parts[0]);
        if (parts.length < 2 || type.isEmpty()) {
            return Optional.of("there is no test class for " + name);
        }
        Optional<Method> method = test(type.get(), parts[1]);
        if (method.isPresent() && isDisabled(type.get(), method.get())) {
            return Optional.of("the test " + name + " is disabled");
        }
        return method.isPresent() && isRun(type.get())
                ? Optional.empty()
                : Optional.of("there is no test " + name);
    }

    private static Optional<Class<?>> type(String name) {
        try {
            return Optional.of(
                    Class.forName(ROOT + name, false, SeedsTable.class.getClassLoader()));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Its own or an inherited one, as those of a contract are. */
    private static Optional<Method> test(Class<?> type, String name) {
        return Stream.<Class<?>>iterate(type, it -> it != null, Class::getSuperclass)
                .flatMap(it -> Arrays.stream(it.getDeclaredMethods()))
                .filter(it -> it.getName().equals(name) && isTest(it))
                .findFirst();
    }

    private static boolean isTest(Method method) {
        return Stream.of(Test.class, ParameterizedTest.class, TestFactory.class, RepeatedTest.class)
                .anyMatch(method::isAnnotationPresent);
    }

    /** Whether Maven finds it. */
    private static boolean isRun(Class<?> type) {
        String outer = type.getName().replaceFirst("\\$.*$", "");
        return !Modifier.isAbstract(type.getModifiers()) && outer.matches(".*(Test|IT)");
    }

    private static boolean isDisabled(Class<?> type, Method method) {
        return method.isAnnotationPresent(Disabled.class)
                || Stream.<Class<?>>iterate(type, it -> it != null, Class::getEnclosingClass)
                        .anyMatch(it -> it.isAnnotationPresent(Disabled.class));
    }
}
