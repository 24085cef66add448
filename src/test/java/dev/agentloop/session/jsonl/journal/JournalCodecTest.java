package dev.agentloop.session.jsonl.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.json.Json;
import dev.agentloop.message.Block;
import dev.agentloop.message.Compaction;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.session.FileState;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.PreImage;
import dev.agentloop.session.jsonl.Records;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JournalCodecTest {
    private static final FileState FILE = new FileState(FileState.Kind.FILE, "1-2-3", 0640);

    private static final String ODD = "one\ntwo \u001b[31m ñ€ 🎉 \u0000 \"quoted\" \\";

    static List<JournalRecord> everyKindOfRecord() {
        return List.of(
                Records.OPENED,
                new JournalRecord.UserSaid(ODD, "person"),
                new JournalRecord.Routed("http://127.0.0.1:1/v1", "A_KEY"),
                new JournalRecord.Capped("0.25", ""),
                new JournalRecord.RequestSent(3, 12_345_678_901L),
                new JournalRecord.RequestSent(4, 5, new JournalRecord.Reserved(6, 7, "0.00012")),
                new JournalRecord.RequestSent(4, 5, new JournalRecord.Reserved(6, 7, null)),
                new JournalRecord.RequestSent(4, 5, "0.00012", null, "c1"),
                new JournalRecord.RequestFailed(
                        "unavailable", "503", true, 0, Usage.NONE, null, ""),
                new JournalRecord.RequestFailed(
                        "broken_reply", "cut", false, 12, Records.USAGE, "0.25", "agent"),
                spoken(),
                new JournalRecord.Replied(
                        new Message.Assistant(List.of()), "END_TURN", Records.USAGE, null, "", ""),
                new JournalRecord.Decided("c1", "ALLOW", "run_command(git*)", "config"),
                new JournalRecord.Intended("c1", "run_command", "OPAQUE"),
                new JournalRecord.Touched("c1", preImages()),
                new JournalRecord.Left("c1", Map.of("a", FILE)),
                new JournalRecord.Undone(List.of(3L, 12_345_678_901L), List.of("a"), List.of("b")),
                new JournalRecord.Rewound(4),
                new JournalRecord.Answered("c1", everythingSet()),
                new JournalRecord.Answered("c2", ToolResult.denied("no")),
                new JournalRecord.Compacted(Compaction.clearing("c1")),
                new JournalRecord.Compacted(
                        new Compaction(Compaction.By.MECHANICAL, "c2", 3, "Files:\n\"a\"")),
                new JournalRecord.LimitReached("max_steps"),
                new JournalRecord.Signalled("TERM"),
                new JournalRecord.Resumed(17, List.of("c1", "c2")),
                new JournalRecord.OutputSoFar("c1", "[1/3] compiling\n"),
                terms(),
                new JournalRecord.HookRan("lint", "post_edit", -1, 250),
                new JournalRecord.Forked("01KJMMA2G05R08D3MZ4CFMX81T", 12),
                new JournalRecord.Ended("partial", "timeout", 5, 12, 99_000));
    }

    private static JournalRecord spoken() {
        return Records.replied(
                List.of(
                        new Block.Reasoning("hm", "{\"signature\":\"x\\ny\"}"),
                        new Block.Text("I look."),
                        new Block.Call(new ToolCall("c1", "run_command", "{not json"))));
    }

    private static JournalRecord terms() {
        return new JournalRecord.Terms(
                "yolo",
                List.of("run_command(git *)"),
                List.of("edit_file(a)"),
                List.of("read_file(b)", "write_file(é)"),
                "off",
                true,
                Optional.of(List.of("/var/cache")),
                List.of("/srv/lib"),
                List.of("grep"));
    }

    @ParameterizedTest
    @MethodSource("everyKindOfRecord")
    void aRecordComesBackAsItWas(JournalRecord record) throws Exception {
        assertEquals(Optional.of(record), throughJson(record));
    }

    @Test
    void noKindOfRecordIsForgotten() {
        Set<Class<?>> tested = new HashSet<>();
        everyKindOfRecord().forEach(record -> tested.add(record.getClass()));
        assertEquals(Set.of(JournalRecord.class.getPermittedSubclasses()), tested);
    }

    @Test
    @Tag("C32")
    @DisplayName("a lone surrogate is replaced, not refused")
    void mendsLoneSurrogates() throws Exception {
        assertEquals(
                Optional.of(new JournalRecord.UserSaid("a\uFFFDb", "person")),
                throughJson(new JournalRecord.UserSaid("a\uD83Db", "person")));
    }

    @Test
    void keepsTextsThatAreLongerThanAReaderTakesInOneString() throws Exception {
        String text = "x".repeat(7_999_999) + "🎉" + "y".repeat(20_000_000);
        var line = encoded(new JournalRecord.UserSaid(text, "person"));
        var read = JournalLine.decode(line);
        assertEquals(
                Optional.of(new JournalRecord.UserSaid(text, "person")),
                JournalCodec.read(read.type(), read.data()));
    }

    @Test
    @Tag("C31")
    @DisplayName("fields and kinds of a newer minor version are ignored, not lost to an error")
    void readsWhatNewerMinorVersionsAdd() throws Exception {
        var d =
                Json.parse(
                        """
                        {"call":"c","kind":"postponed","text":"t","colour":"red",
                         "changes":[{"path":"a","kind":"linked","added":1,"removed":2}]}\
                        """);
        var expected =
                ToolResult.error("t")
                        .withChanges(List.of(new FileChange("a", FileChange.Kind.MODIFIED, 1, 2)));
        assertEquals(
                Optional.of(new JournalRecord.Answered("c", expected)),
                JournalCodec.read("result", d));
        assertTrue(JournalCodec.read("checkpoint", d).isEmpty());
    }

    private static List<PreImage> preImages() {
        FileState planned = new FileState(FileState.Kind.FILE, "1-3-4", 0);
        FileState link = new FileState(FileState.Kind.LINK, "../x", 0);
        return List.of(
                new PreImage("src/ä.py", FILE, planned, "1-2-3", ""),
                new PreImage("new", FileState.ABSENT, FileState.FOLDER, "", ""),
                new PreImage("l", link, FileState.ABSENT, "", "elsewhere/l"));
    }

    private static ToolResult everythingSet() {
        return new ToolResult(
                ToolResult.Kind.RETRY_HINT,
                "try again",
                List.of(
                        new FileChange("src/ä.py", FileChange.Kind.MOVED, 3, 4),
                        new FileChange("b", FileChange.Kind.ADDED, 1, 0)),
                OptionalInt.of(137),
                true,
                List.of(new Image("image/png", "iVBO"), new Image("image/gif", "R0lG")));
    }

    private static Optional<JournalRecord> throughJson(JournalRecord record) throws Exception {
        byte[] bytes = encoded(record);
        assertEquals(-1, new String(bytes, StandardCharsets.UTF_8).indexOf('\n'));
        JournalLine line = JournalLine.decode(bytes, JournalLine.End.START);
        return JournalCodec.read(line.type(), line.data());
    }

    private static byte[] encoded(JournalRecord record) {
        var batch =
                JournalLine.encode(
                        List.of(record), new JournalLine.Stamp(1, 2, "run"), JournalLine.End.START);
        return java.util.Arrays.copyOf(batch.bytes().array(), batch.bytes().remaining() - 1);
    }
}
