package dev.agentloop.chat;

import java.util.List;
import java.util.Map;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.CompletionMatcher;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import org.jspecify.annotations.Nullable;

/** Offers {@link Completions} as they are: the library would drop those that begin otherwise. */
final class TabKey implements Completer, CompletionMatcher {
    private final Completions completions;
    private List<Candidate> candidates = List.of();
    private String typed = "";

    TabKey(Completions completions) {
        this.completions = completions;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> into) {
        List<String> before = line.words().subList(0, line.wordIndex());
        String word = line.word().substring(0, line.wordCursor());
        int order = 0;
        for (Completions.Completion each : completions.of(before, word)) {
            into.add(
                    new Candidate(
                            each.text(),
                            each.text(),
                            null,
                            each.description().isEmpty() ? null : each.description(),
                            null,
                            null,
                            each.whole(),
                            order++));
        }
    }

    @Override
    public void compile(
            Map<LineReader.Option, Boolean> options,
            boolean prefix,
            CompletingParsedLine line,
            boolean caseInsensitive,
            int errors,
            String originalGroupName) {
        typed = line.word().substring(0, line.wordCursor());
    }

    @Override
    public List<Candidate> matches(List<Candidate> all) {
        candidates = List.copyOf(all);
        return candidates;
    }

    @Override
    public @Nullable Candidate exactMatch() {
        return candidates.stream()
                .filter(each -> each.value().equals(typed))
                .findFirst()
                .orElse(null);
    }

    @Override
    public String getCommonPrefix() {
        String common = candidates.isEmpty() ? "" : candidates.getFirst().value();
        for (Candidate each : candidates) {
            int length = 0;
            String value = each.value();
            while (length < Math.min(common.length(), value.length())
                    && common.charAt(length) == value.charAt(length)) {
                length++;
            }
            common = common.substring(0, length);
        }
        return common;
    }
}
