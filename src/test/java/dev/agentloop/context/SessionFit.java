package dev.agentloop.context;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentloop.message.ToolResult;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts the tool results of recorded sessions under the limits of this program. It goes along with
 * the session: results of one reply share a step, and a window that fills is made shorter.
 */
final class SessionFit {
    private static final int STEP_CHARS = 80_000; // tools.result_budget_chars
    private static final int PAGE_LINES = 2_000; // of one read
    private static final int PAGE_CHARS = 50_000; // as much as a peer returns of one read
    private static final int CHARS_PER_TOKEN = 4;
    private static final double FULL = 0.75;
    private static final Pattern MARK = // of CutText, with or without the whole; of LongLines
            Pattern.compile(
                    "\\[\\.{3} \\d{1,12} lines omitted \\.{3}](?: of \\d+)?"
                            + " \\((?<lines>\\d{1,12})(?: of (?<whole>\\d{1,12}))? characters\\)"
                            + "|\\[\\.{3} (?<some>\\d{1,12})(?: of (?<all>\\d{1,12}))?"
                            + " characters (?:of one line )?omitted \\.{3}]"
                            + "|\\[… (?<inside>\\d{1,12}) characters left out …]");
    private static final Pattern PAGE_HEAD =
            Pattern.compile("\\[lines \\d+-\\d+ of \\d+[^\\]\n]*]\n");
    private static final Pattern PAGE_NOTE =
            Pattern.compile(
                    "\n+\\[(?:Showing lines|\\d+ more lines) [^\\]\n]*offset=\\d+[^\\]\n]*]\\s*$");
    private static final Set<String> READS = Set.of("read", "read_file", "Read", "view");

    private final Truncation truncation = Truncation.byWindow(STEP_CHARS);
    private final ResultPace pace;
    private final long window;
    private final Map<String, Kept> tools = new TreeMap<>();
    private final Map<String, String> names = new HashMap<>(); // of calls
    private List<Recorded> step = new ArrayList<>();
    private long history;

    SessionFit(long window) {
        this.window = window;
        this.pace = new ResultPace(window, (long) (window * FULL));
    }

    private record Recorded(String tool, String text) {}

    /** What became of the results of one tool. */
    static final class Kept {
        int results;
        int cut;
        int cutBelowPage;
        long read;
        long kept;

        double share() {
            return read == 0 ? 100 : 100.0 * kept / read;
        }
    }

    /** Of the first word, the window in tokens, and of sessions. */
    public static void main(String[] words) {
        long window = Long.parseLong(words[0]); // scripts/fit has looked at it
        int status = 0;
        for (String word : List.of(words).subList(1, words.length)) {
            SessionFit fit = new SessionFit(window);
            try {
                fit.read(Path.of(word));
                System.out.print(word + "\n" + fit.table());
            } catch (NoSuchFileException e) {
                status = refuse(word + " does not exist");
            } catch (MalformedInputException e) {
                status = refuse(word + " is no text");
            } catch (IOException e) {
                String why = String.valueOf(e.getMessage());
                status = refuse(why.startsWith(word) ? why : word + ": " + why);
            }
        }
        System.exit(status);
    }

    private static int refuse(String why) {
        System.err.println("fit: " + why);
        return 3;
    }

    Map<String, Kept> tools() {
        return tools;
    }

    void read(Path session) throws IOException {
        ObjectMapper json = new ObjectMapper();
        int unread = 0;
        for (String line : Files.readAllLines(session)) {
            try {
                take(json.readTree(line));
            } catch (IOException e) {
                unread++; // the last line of a killed process
            }
        }
        endStep();
        if (tools.isEmpty()) {
            throw new IOException(
                    session
                            + " has no tool result that fit knows ("
                            + unread
                            + " lines are no JSON): it is a session of neither this program"
                            + " nor pi");
        }
    }

    private void take(JsonNode record) {
        switch (record.path("t").asText(record.path("type").asText())) {
            case "intent" ->
                    names.put(
                            record.at("/d/call").asText(),
                            record.at("/d/tool").asText(record.at("/d/name").asText()));
            case "llm_resp" -> endStep();
            case "result" -> {
                String text = record.at("/d/text").asText();
                omitted(record.at("/d/call").asText(), text);
                add(record.at("/d/call").asText(), text);
            }
            case "message" -> message(record.path("message"));
            default -> {} // of the session, not of what the model reads
        }
    }

    private void message(JsonNode message) {
        if (message.path("role").asText().equals("toolResult")) {
            names.put(message.path("toolCallId").asText(), message.path("toolName").asText());
            add(message.path("toolCallId").asText(), text(message.path("content")));
            return;
        }
        endStep();
        history += message.path("content").toString().length() / CHARS_PER_TOKEN;
        for (JsonNode block : message.path("content")) {
            if (block.path("type").asText().equals("toolCall")) {
                names.put(block.path("id").asText(), block.path("name").asText());
            }
        }
    }

    /** Of our own sessions the result is recorded as it was cut; its marks say what is missing. */
    private void omitted(String call, String text) {
        long missing = 0;
        long whole = 0;
        for (Matcher mark = MARK.matcher(text); mark.find(); ) {
            missing += number(mark, "lines") + number(mark, "some") + number(mark, "inside");
            whole = Math.max(whole, number(mark, "whole") + number(mark, "all"));
        }
        if (missing > 0) {
            Kept all = kept(names.getOrDefault(call, "unknown"));
            all.read += missing;
            all.cut++;
            all.cutBelowPage += Math.max(whole, text.length() + missing) <= PAGE_CHARS ? 1 : 0;
        }
    }

    private static long number(Matcher mark, String group) {
        return mark.group(group) == null ? 0 : Long.parseLong(mark.group(group));
    }

    private static String text(JsonNode content) {
        if (content.isTextual()) {
            return content.asText();
        }
        StringBuilder text = new StringBuilder();
        content.forEach(block -> text.append(block.path("text").asText("")));
        return text.toString();
    }

    private void add(String call, String text) {
        step.add(new Recorded(names.getOrDefault(call, "unknown"), text));
    }

    private void endStep() {
        if (step.isEmpty()) {
            return;
        }
        if (history > window * FULL) {
            history = window / 8; // as clearing leaves it
            pace.startAnew();
        }
        pace.step(history);
        for (Recorded result : step) {
            int kept = READS.contains(result.tool()) ? page(result.text()) : cut(result.text());
            count(result, kept);
            history += kept / CHARS_PER_TOKEN;
        }
        step = new ArrayList<>();
    }

    private int cut(String text) {
        String left = truncation.apply(ToolResult.ok(text), "", step.size(), pace.chars()).text();
        int mark = left.indexOf("[... ");
        return left.equals(text) || mark < 0
                ? text.length()
                : left.length() - (left.indexOf('\n', mark) + 1 - mark);
    }

    /** What says which page this is, in our results and in those of pi, is no part of the file. */
    private int page(String text) {
        Matcher head = PAGE_HEAD.matcher(text);
        Matcher note = PAGE_NOTE.matcher(text);
        int from = head.lookingAt() ? head.end() : 0;
        int to = note.find() ? note.start() : text.length();
        return to <= from ? text.length() : text.length() - (to - from) + lines(text, from, to);
    }

    /** Whole lines from the first one on; the rest is had with the next offset. */
    private int lines(String whole, int from, int to) {
        String text = whole.substring(from, to);
        int room = truncation.room(step.size(), pace.chars());
        int end = 0;
        for (int line = 0; line < PAGE_LINES && end < text.length(); line++) {
            int next = text.indexOf('\n', end);
            next = next < 0 ? text.length() : next + 1;
            if (next > room && end > 0) {
                break;
            }
            end = Math.min(next, room);
        }
        return end;
    }

    private void count(Recorded result, int kept) {
        Kept all = kept(result.tool());
        int length = result.text().length();
        all.results++;
        all.read += length;
        all.kept += kept;
        all.cut += kept < length ? 1 : 0;
        all.cutBelowPage += kept < length && length <= PAGE_CHARS ? 1 : 0;
    }

    private Kept kept(String tool) {
        return tools.computeIfAbsent(tool, _ -> new Kept());
    }

    String table() {
        StringBuilder table = new StringBuilder();
        row(table, "tool", "results", "characters", "kept", "cut", "cut below 50 kB");
        Kept sum = new Kept();
        tools.forEach((name, kept) -> {
            row(table, name, kept);
            sum.results += kept.results;
            sum.read += kept.read;
            sum.kept += kept.kept;
            sum.cut += kept.cut;
            sum.cutBelowPage += kept.cutBelowPage;
        });
        row(table, "all", sum);
        return table.toString();
    }

    private static void row(StringBuilder table, String name, Kept kept) {
        row(
                table,
                name,
                "" + kept.results,
                "" + kept.read,
                String.format(Locale.ROOT, "%.2f %%", kept.share()),
                "" + kept.cut,
                "" + kept.cutBelowPage);
    }

    private static void row(StringBuilder table, Object... cells) {
        table.append(String.format(Locale.ROOT, "  %-24s %8s %12s %10s %6s %16s%n", cells));
    }
}
