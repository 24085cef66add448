package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;

import dev.agentloop.config.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each screen of a chat as a terminal emulator shows it, beside the one that a person has found
 * right: {@code src/test/resources/screens}, a file for each screen and width. {@code
 * scripts/golden -Dtest=HouseTest -Dit.test=ScreensIT} writes them anew.
 */
@Tag("side-by-side")
class ScreensIT {
    private static final Path SCREENS = Path.of("src/test/resources/screens");
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final long SETTLED_MILLIS = 1_000; // when they are written anew
    private static final int ROWS = 75;
    private static final String ALLOW = "with words:";
    private static final String PROMPT = "> canary/model |";
    private static final String PRICE =
            "def gross(net):\n    return net * 1.16\n\n\ndef net(gross):\n    return gross / 1.16\n";
    private static final String FAILS =
            "for i in $(seq 14); do echo test $i passed; done;"
                    + " echo 'FAILED: gross(100) is 116.0, expected 119.0' >&2; exit 1";
    private static final String UNTIL_GO =
            "for i in 1 2 3 4 5 6 7; do echo compiling part $i of the program; done;"
                    + " while [ ! -e go ]; do sleep 0.1; done";
    private static final String ANSWER =
            """
            ## What was wrong

            The rate was **1.16**, and it is `1.19` since 2007; see [the law](https://example.org/vat). \
            This paragraph is long enough to be broken at each of the widths, and its words stay whole.

            - one point
            - another point, with a second line in a narrow terminal because it is long
              1. and a part of it

            | file | 行数 | note |
            |---|---:|---|
            | price.py | 6 | 税率を変えた 🎉 |
            | test_price.py | 12 | unchanged, since the tests were right all the time |

            ```python
            def gross(net):
                return net * 1.19  # a comment that makes this line longer than forty columns
            ```

            > 日本語の文章は空白なしで書かれるので、幅で折り返されます。👩‍👩‍👧 é
            """;

    /** What differs from run to run, and what stands for it. */
    private static final Map<Pattern, String> MARKS = new LinkedHashMap<>();

    static {
        MARKS.put(Pattern.compile("(?<=/agent-it-)[0-9a-f]{8}-[0-9a-f]{4}"), "xxxxxxxx-xxxx");
        MARKS.put(Pattern.compile("\\b[0-9A-HJKMNP-TV-Z]{26}\\b"), "0".repeat(26)); // sessions
        MARKS.put(Pattern.compile("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d"), "2000-01-01 00:00");
        MARKS.put(Pattern.compile("(?<=127\\.0\\.0\\.1:)\\d+"), "00000");
        MARKS.put(Pattern.compile("\\d+\\.\\d ?s\\b"), "0.0 s");
        MARKS.put(Pattern.compile("(?<=, )\\d+ s$", Pattern.MULTILINE), "0 s");
        MARKS.put(Pattern.compile("(?<=\\| )\\d+:\\d\\d\\b"), "0:00");
        MARKS.put(Pattern.compile("^[|/\\\\-](?= )", Pattern.MULTILINE), "|"); // the moving sign
        MARKS.put(Pattern.compile("^agent \\d\\S+"), "agent 0.0.0");
        MARKS.put(
                Pattern.compile(
                        "\\d(?=\\d* +\\d+  (?:yes|no)$|\\d*  (?:yes|no)$|\\d* +\\d+$)",
                        Pattern.MULTILINE),
                "0"); // bytes and tokens of a prompt
    }

    @Test
    @DisplayName("a chat in terminals of 40, 80 and 160 columns looks as it did when it was right")
    void screens() throws Exception {
        Together.tell(List.of(() -> play(40), () -> play(80), () -> play(160)));
    }

    private static void play(int columns) throws Exception {
        try (var model = model().allowingCompaction();
                var world = World.with(model).ordinary().file("price.py", PRICE);
                var screen =
                        TmuxScreen.open(
                                world, columns, ROWS, "--sandbox=off", "--model=canary/model")) {
            Story story = new Story(screen, columns);
            story.begins();
            story.runsCommands(world.workspace());
            story.answers();
            story.showsWhatIsAskedFor();
        }
    }

    private static ScriptedServer model() {
        return ScriptedServer.chat(
                calls("read_file", "file_path", "price.py"),
                calls("grep", "pattern", "gross"),
                calls("find_files", "pattern", "**/*.py"),
                edit(),
                says("The rate is mended."),
                calls("run_command", "command", FAILS),
                says("One test fails."),
                calls("run_command", "command", UNTIL_GO),
                says("Built."),
                says("The queued task is done."),
                calls("run_command", "command", "echo begun; sleep 60", "timeout", 1),
                says("It takes too long."),
                plan(),
                says("Planned."),
                calls(
                        "dispatch_subagent",
                        "agent",
                        "explore",
                        "task",
                        "Find all places where a rate of taxes is used."),
                calls("read_file", "file_path", "price.py"),
                says("Only in price.py."),
                says("There is one place."),
                says(ANSWER),
                Faults.status(500),
                Faults.status(500));
    }

    private static Reply edit() {
        String old = "net * 1.16";
        String mended = "net * 1.19";
        return calls("edit_file", "file_path", "price.py", "old_string", old, "new_string", mended);
    }

    private static Reply plan() {
        String longer = "mend it wherever it stands, and in the tests";
        return calls(
                "todo_write",
                "todos",
                List.of(
                        Map.of("content", "find the rate", "status", "completed"),
                        Map.of("content", longer, "status", "in_progress"),
                        Map.of("content", "run the tests", "status", "pending")));
    }

    /** What a person does in one chat, and sees. */
    private record Story(TmuxScreen screen, int columns) {
        private static final List<String> WORDS =
                List.of("help", "cost", "diff", "permissions", "tools", "memory", "mcp", "model");

        void begins() throws IOException {
            sees("header", "! runs a command.");
            types("Please mend the rate.");
            sees("trust", "[n]o:");
            types("n");
            sees("ask-edit", ALLOW);
            types("s");
            sees("edit", PROMPT);
            says("/context");
            sees("context", PROMPT);
            says("/undo");
            sees("undo", "Do this?");
            types("n");
            sees("not-undone", PROMPT);
        }

        void runsCommands(Path workspace) throws IOException {
            says("Run the tests.");
            sees("ask-command", ALLOW);
            types("y");
            sees("failed-command", PROMPT);
            says("Build it.");
            awaits(ALLOW);
            types("y");
            sees("live", "part 7 of");
            types("Then say so.");
            sees("queue", "queued:");
            Files.createFile(workspace.resolve("go"));
            sees("queued-task", "task is done.");
            says("Wait for it.");
            awaits(ALLOW);
            types("y");
            sees("timeout", PROMPT);
        }

        void answers() throws IOException {
            says("Make a plan.");
            sees("plan", PROMPT);
            says("Look for more.");
            sees("agent", PROMPT);
            says("What was wrong?");
            sees("answer", PROMPT);
            says("And now?");
            sees("error", PROMPT);
        }

        void showsWhatIsAskedFor() throws IOException {
            for (String word : WORDS) {
                says("/" + word);
                sees(word, PROMPT);
            }
            says("/resume");
            sees("resume", "none):");
        }

        private void types(String text) {
            screen.type(text).keys("Enter");
        }

        /** The same on a screen that has nothing else. */
        private void says(String text) {
            screen.clear(">");
            types(text);
        }

        private void awaits(String words) {
            Await.until(
                    words,
                    () -> screen.text().replaceAll("\\s+", " ").contains(words),
                    screen::text);
        }

        /**
         * @param words by which the screen is known when it is written anew
         */
        private void sees(String name, String words) throws IOException {
            Path file = SCREENS.resolve(name + "-" + columns + ".txt");
            if (Boolean.getBoolean("golden.update")) {
                awaits(words);
                settles();
            } else {
                String right = Files.readString(file);
                Await.holdsWithin(LONGEST, () -> shown().equals(right));
            }
            Golden.check(file, shown());
        }

        private void settles() {
            String before;
            do {
                before = shown();
                Await.holdsWithin(Duration.ofMillis(SETTLED_MILLIS), () -> false);
            } while (!before.equals(shown()));
        }

        private String shown() {
            String text = screen.whole();
            for (var mark : MARKS.entrySet()) {
                text = mark.getKey().matcher(text).replaceAll(mark.getValue());
            }
            return text;
        }
    }
}
