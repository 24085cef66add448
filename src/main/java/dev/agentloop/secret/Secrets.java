package dev.agentloop.secret;

import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.secret.pattern.Scanner;
import dev.agentloop.secret.pattern.SecretForms;
import dev.agentloop.secret.pattern.SecretPatterns;
import dev.agentloop.secret.pattern.Span;
import dev.agentloop.secret.pattern.Trigger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is secret in a run: the values of variables that hold secrets, keys in use, and whatever
 * looks like one. Nothing is made before the first text is looked at. Safe from any thread.
 */
public final class Secrets {
    private static final int REMEMBERED = 4; // the same text goes to the journal and to each output
    private static final int WORTH_REMEMBERING = 1_024; // characters

    private static final int SHORTEST_KEY = 6; // shorter "keys" of local servers are words

    private final Map<String, String> environment;
    private final Map<String, String> named = new HashMap<>(); // value to name
    private final boolean patterns;
    private volatile @Nullable Known known;

    /** A scanner, and the last texts that it found nothing in. */
    private record Known(Scanner scanner, @Nullable String[] clean) {}

    private Secrets(Map<String, String> environment, boolean patterns) {
        this.environment = environment;
        this.patterns = patterns;
    }

    /** What the environment holds, and whatever looks like a secret. */
    public static Secrets of(Map<String, String> environment) {
        return new Secrets(environment, true);
    }

    /**
     * These values only, whatever they look like; those that any text may have are left out.
     *
     * @param names of the values
     */
    public static Secrets ofValues(Map<String, String> names) {
        Secrets secrets = new Secrets(Map.of(), false);
        names.forEach((value, name) -> {
            if (value.length() >= SHORTEST_KEY) {
                secrets.named.put(value, name);
            }
        });
        return secrets;
    }

    /** One more; a value that is a word or too short to be told from other texts is left out. */
    public synchronized void add(String name, String value) {
        if (SecretVariables.isSecret(value) && named.put(value, name) == null) {
            known = null;
        }
    }

    /** The text with what is secret masked; the same instance if nothing is. */
    public String mask(String text) {
        return replace(text, (name, value) -> masked(name));
    }

    /** The call with its name and arguments masked; these stay JSON. */
    ToolCall mask(ToolCall call) {
        return new ToolCall(call.id(), mask(call.name()), mask(call.arguments()));
    }

    /** The result with its text and the names of files masked. */
    ToolResult mask(ToolResult result) {
        ToolResult masked = result.withText(mask(result.text()));
        return result.changes().isEmpty()
                ? masked
                : masked.withChanges(result.changes().stream().map(this::mask).toList());
    }

    FileChange mask(FileChange change) {
        return new FileChange(mask(change.path()), change.kind(), change.added(), change.removed());
    }

    static String masked(String name) {
        return name.isEmpty() ? "[redacted]" : "[redacted:" + name + "]";
    }

    /** Each secret replaced by what {@code by} makes of its name and its characters. */
    String replace(String text, BiFunction<String, String, String> by) {
        Known now = known();
        if (isClean(text, now)) {
            return text;
        }
        List<Span> spans = now.scanner.find(text);
        String result = spans == null ? text : replace(text, text.length(), spans, by);
        remember(result, now);
        return result;
    }

    static String replace(
            String text, int end, List<Span> spans, BiFunction<String, String, String> by) {
        StringBuilder replaced = new StringBuilder(text.length() + 64);
        int from = 0;
        for (Span span : spans) {
            int start = Math.max(span.start(), from);
            replaced.append(text, from, start);
            replaced.append(by.apply(span.name(), text.substring(start, span.end())));
            from = span.end();
        }
        return replaced.append(text, from, Math.max(from, end)).toString();
    }

    Scanner scanner() {
        return known().scanner;
    }

    private Known known() {
        Known now = known;
        return now != null ? now : make();
    }

    private synchronized Known make() {
        Known made = known;
        if (made == null) {
            Map<String, String> values = new HashMap<>(SecretVariables.of(environment));
            values.putAll(named);
            List<Trigger> triggers = new ArrayList<>();
            values.forEach((value, name) -> triggers.addAll(SecretForms.of(name, value)));
            triggers.sort(
                    Comparator.comparingInt((Trigger form) -> -form.start().length())
                            .thenComparing(Trigger::start));
            if (patterns) {
                triggers.addAll(SecretPatterns.all());
            }
            made = new Known(new Scanner(triggers), new String[REMEMBERED]);
            known = made;
        }
        return made;
    }

    /** Races between threads cost a search, never a mask. */
    @SuppressWarnings("ReferenceEquality") // the very text, to be spared looking at it
    private static boolean isClean(String text, Known now) {
        for (String clean : now.clean) {
            if (clean == text) {
                return true;
            }
        }
        return text.length() < 2;
    }

    private static void remember(String text, Known now) {
        if (text.length() >= WORTH_REMEMBERING) {
            System.arraycopy(now.clean, 0, now.clean, 1, REMEMBERED - 1);
            now.clean[0] = text;
        }
    }
}
