package dev.agentloop.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.llm.http.TrustedCas;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.Approver.Answer;
import dev.agentloop.permission.Decision;
import dev.agentloop.permission.Verdict;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.SubjectKind;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.call.PreparedCall;
import dev.agentloop.web.WebFetchTool;
import dev.agentloop.web.WebLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TerminalApproverTest {
    private final PipedOutputStream keyboard = new PipedOutputStream();
    private final PipedInputStream in = connected();
    private final Screen screen = new Screen();
    private TerminalApprover.Editing editing = text -> text;
    private final Streams streams =
            new Streams(in, OutputStream.nullOutputStream(), screen, true, true, true);

    /** A person who types a line when asked. */
    private final class Screen extends ByteArrayOutputStream {
        private String line = "";
        private final Deque<String> lines = new ArrayDeque<>(); // answers one after another
        private int pages;

        @Override
        public synchronized void write(byte[] bytes, int from, int count) {
            super.write(bytes, from, count);
            String shown = toString(StandardCharsets.UTF_8);
            if (shown.endsWith("no with words: ")) {
                type(lines.isEmpty() ? line : lines.removeFirst());
            } else if (shown.endsWith("or ask again as before: ")) {
                type(lines.removeFirst());
            } else if (shown.endsWith("Enter shows more, [n]o, [a]bort -- ")) {
                pages++;
                type("\n");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"y, Yes", "YES, Yes", "n, No", "no, No", "a, Abort", "abort, Abort"})
    void aWordDecides(String word, String answer) {
        screen.line = word + "\n";

        assertEquals(answer, ask("ls", new Cancellation()).getClass().getSimpleName());
    }

    private Answer askAboutCommand(String command) {
        Tool<FakeTool.Args> tool = mock();
        when(tool.subjectKind()).thenReturn(SubjectKind.COMMAND);
        ToolCall call =
                new ToolCall("1", "run_command", "{\"command\":\"" + command + "\",\"timeout\":9}");
        return new TerminalApprover(
                        new TerminalTalk(streams, new ErrorConsole(streams)),
                        TerminalApprover.Keeper.NONE,
                        editing)
                .ask(
                        new PreparedCall.Ready<>(
                                call, tool, new FakeTool.Args(command), command, List.of()),
                        new Decision(Verdict.ASK, "rule", "reason"),
                        new Cancellation());
    }

    @Test
    @DisplayName("a command is edited, shown as it is now, and runs after a second yes")
    void editsFirst() {
        editing = text -> text.replace("rm -rf build", "rm -rf out\u202e");
        screen.lines.addAll(List.of("e\n", "n\n", "e\n", "y\n"));

        Answer.Changed changed =
                assertInstanceOf(Answer.Changed.class, askAboutCommand("rm -rf build"));
        assertTrue(changed.arguments().contains("rm -rf out"), changed::toString);
        assertTrue(changed.arguments().contains("\"timeout\":9"), changed::toString);
        String shown = screen.toString(StandardCharsets.UTF_8);
        assertTrue(shown.contains("[e]dit it first"), shown);
        assertTrue(shown.contains("command: rm -rf out"), shown);
        assertTrue(shown.contains("RIGHT-TO-LEFT OVERRIDE"), shown);
    }

    @Test
    @DisplayName("an editor that fails, or changes nothing, leads back to the question")
    void editsNothing() {
        screen.lines.addAll(List.of("e\n", "e\n", "n\n"));
        int[] opened = {0};
        editing =
                text -> {
                    if (opened[0]++ == 0) {
                        throw new IOException("vi: exit code 127");
                    }
                    return text;
                };

        assertInstanceOf(Answer.No.class, askAboutCommand("ls"));
        String shown = screen.toString(StandardCharsets.UTF_8);
        assertTrue(shown.contains("Not edited: vi: exit code 127"), shown);
        assertTrue(shown.contains("The command is as it was."), shown);
    }

    @Test
    void otherWordsAreANoThatTheModelReads() {
        screen.line = "use npm instead\n";

        Answer.No no = assertInstanceOf(Answer.No.class, ask("yarn", new Cancellation()));
        assertTrue(no.feedback().contains("use npm instead"));
    }

    @Test
    @Tag("D75")
    @DisplayName("what was typed before the question is not its answer")
    void typedAheadDoesNotCount() {
        type("y\ny\n");
        screen.line = "n\n";

        assertInstanceOf(Answer.No.class, ask("rm x", new Cancellation()));
    }

    @Test
    @Tag("D74")
    @Tag("D75")
    @DisplayName("the whole call is shown, with nothing hidden in it")
    void theWholeCallIsShown() {
        screen.line = "n\n";
        String command = " ".repeat(300) + "rm \\u001b[8m -rf x";

        ask(command, new Cancellation());

        String shown = screen.toString(StandardCharsets.UTF_8);
        assertTrue(shown.contains("-rf x"));
        assertFalse(shown.contains("\u001b"));
    }

    @Test
    @Tag("D75")
    @DisplayName("blanks in a row are counted, look-alikes are named")
    void nothingHides() {
        screen.line = "n\n";

        ask("ls" + " ".repeat(1_000) + "; rm x; c\u0430t y", new Cancellation());

        String shown = screen.toString(StandardCharsets.UTF_8);
        assertTrue(shown.contains("ls[1000 blanks]; rm x"), shown);
        assertTrue(shown.contains("U+0430, CYRILLIC SMALL LETTER A"), shown);
    }

    @Test
    @Tag("D74")
    @Tag("D75")
    @DisplayName("what does not fit on the screen is shown page by page")
    void pages() {
        screen.line = "n\n";

        ask("echo 1\\n".repeat(60) + "rm x", new Cancellation());

        assertTrue(screen.pages >= 3, "pages: " + screen.pages);
        assertTrue(screen.toString(StandardCharsets.UTF_8).contains("| rm x"));
    }

    @Test
    @Tag("D74")
    @DisplayName("one line that is longer than the screen is shown page by page as well")
    void longLine() {
        screen.line = "n\n";

        ask(
                "echo " + "x\u754c".repeat(2_000) + "; rm middle; " + "y ".repeat(2_000),
                new Cancellation());

        String shown = screen.toString(StandardCharsets.UTF_8);
        assertTrue(screen.pages >= 6, "pages: " + screen.pages);
        int page = 0;
        for (String row : shown.split("\n")) {
            page = row.contains("Enter shows more") ? 0 : page + 1;
            assertTrue(page <= 24, "a page has at most the rows of a screen");
            assertTrue(row.contains("Enter shows") || row.length() <= 80, row);
        }
    }

    @Test
    @Tag("D76")
    @DisplayName("a yes for longer is offered where there is a rule for it, and kept as shown")
    void lasting() {
        List<String> rules = List.of("run_command(npm test)");
        List<String> kept = new ArrayList<>();
        Decision decision = new Decision(Verdict.ASK, "P9", "reason", rules);
        screen.line = "s\n";
        assertEquals(
                new Answer.Yes(Approver.Lasting.SESSION),
                ask("npm test", decision, TerminalApprover.Keeper.NONE));
        assertFalse(screen.toString(StandardCharsets.UTF_8).contains("always [h]ere"));

        screen.line = "h\n";
        assertEquals(
                new Answer.Yes(Approver.Lasting.SESSION), ask("npm test", decision, kept::addAll));
        assertEquals(rules, kept);
        String shown = screen.toString(StandardCharsets.UTF_8);
        assertTrue(shown.contains("always [h]ere"), shown);
        assertTrue(shown.contains("run_command(npm test)"), shown);
    }

    @Test
    @Tag("P5")
    @Tag("P10")
    @DisplayName("what is asked each time has no longer answer")
    void eachTime() {
        screen.line = "s\nh\nn\n";
        Decision decision = new Decision(Verdict.ASK, "P10", "reason");

        Answer answer = ask("rm -rf ~", decision, _ -> true);

        assertInstanceOf(Answer.No.class, answer);
        String shown = screen.toString(StandardCharsets.UTF_8);
        assertTrue(shown.contains("This is asked each time."), shown);
        assertFalse(shown.contains("yes for this [s]ession"), shown);
    }

    private Answer ask(String command, Decision decision, TerminalApprover.Keeper keeper) {
        return ask(command, decision, keeper, new Cancellation());
    }

    @Test
    @DisplayName("an edit is shown as it would change the file, with what could deceive the eye")
    void aPlannedEdit() {
        screen.line = "y\n";
        String wide = "x=1".repeat(200) + ";evil()";
        String many = "+line\n".repeat(3_000);
        String diff =
                "--- a/x.py\n+++ b/x.py\n@@ -7,2 +7,3002 @@\n one\n-two\n+tw\u0430      o\n+"
                        + wide
                        + "\n"
                        + many
                        + "+last()\n";
        var planned = List.of(new Approver.PlannedChange("x.py", diff));

        assertInstanceOf(
                Answer.Yes.class,
                new TerminalApprover(
                                new TerminalTalk(streams, new ErrorConsole(streams)),
                                TerminalApprover.Keeper.NONE,
                                text -> text)
                        .ask(
                                ready("edit_file", "x.py"),
                                new Decision(Verdict.ASK, "rule", "reason"),
                                planned,
                                new Cancellation()));
        String shown = screen.toString(StandardCharsets.UTF_8);
        assertTrue(shown.contains("   7   one\n"), shown);
        assertTrue(shown.contains("   8 - two\n"), shown);
        assertTrue(shown.contains("   8 + tw\u0430······o\n"), shown);
        assertTrue(shown.contains("CYRILLIC SMALL LETTER A"), shown);
        assertTrue(shown.replaceAll("\\s", "").contains(wide), "nothing is out of sight");
        assertTrue(shown.contains("+ last()"), shown);
    }

    @Test
    @Tag("E09")
    @Tag("C05")
    @DisplayName("a question ends with the run")
    void aQuestionEndsWithTheRun() {
        Cancellation cancelled = new Cancellation();
        cancelled.cancel(new Cause.RunDeadline());
        screen.line = "";

        assertInstanceOf(Answer.No.class, ask("ls", cancelled));
    }

    @Test
    @Tag("D65")
    @Tag("D66")
    @DisplayName("of a fetch the whole address is shown, as it will be sent")
    void theAddressIsShown() {
        screen.line = "n\n";
        String data = "https://exаmple.com/?q=" + "workspace".repeat(60); // the a is Cyrillic

        ask(
                new WebFetchTool(
                        WebLimits.ofPage(8_000), Map.of(), () -> TrustedCas.SYSTEM, List.of()),
                new WebFetchTool.Args(data, null),
                "web_fetch",
                "{\"url\":\"" + data + "\"}");

        String shown = screen.toString(StandardCharsets.UTF_8);
        assertTrue(shown.matches("(?s).*fetches\\s+https://xn--exmple-4nf\\.com/\\?q=.*"), shown);
        String joined = // a long line is broken where the screen ends
                shown.replaceAll("   -- row \\d+ of [^-]* -- ", "").replaceAll("\n +", "");
        assertTrue(joined.contains("workspace".repeat(60) + "Asked because"), shown);
    }

    private <A extends Record> void ask(Tool<A> tool, A arguments, String name, String json) {
        PreparedCall.Ready<A> ready =
                new PreparedCall.Ready<>(
                        new ToolCall("1", name, json),
                        tool,
                        arguments,
                        tool.subject(arguments),
                        List.of());
        new TerminalApprover(
                        new TerminalTalk(streams, new ErrorConsole(streams)),
                        TerminalApprover.Keeper.NONE,
                        text -> text)
                .ask(ready, new Decision(Verdict.ASK, "rule", "reason"), new Cancellation());
    }

    private Answer ask(String command, Cancellation cancellation) {
        Decision decision = new Decision(Verdict.ASK, "rule", "reason");
        return ask(command, decision, TerminalApprover.Keeper.NONE, cancellation);
    }

    private Answer ask(
            String command,
            Decision decision,
            TerminalApprover.Keeper keeper,
            Cancellation cancellation) {
        ErrorConsole console = new ErrorConsole(streams);
        return new TerminalApprover(new TerminalTalk(streams, console), keeper, editing)
                .ask(ready("run_command", command), decision, cancellation);
    }

    private static PreparedCall.Ready<FakeTool.Args> ready(String name, String subject) {
        FakeTool tool = new FakeTool(name, Effect.OPAQUE, (_, _) -> ToolResult.ok(""));
        ToolCall call = new ToolCall("1", name, "{\"command\":\"" + subject + "\"}");
        return new PreparedCall.Ready<>(call, tool, new FakeTool.Args(subject), subject, List.of());
    }

    private void type(String text) {
        try {
            keyboard.write(text.getBytes(StandardCharsets.UTF_8));
            keyboard.flush();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private PipedInputStream connected() {
        try {
            return new PipedInputStream(keyboard);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
