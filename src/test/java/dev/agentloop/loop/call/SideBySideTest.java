package dev.agentloop.loop.call;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.call.PreparedCall;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SideBySideTest {
    @ParameterizedTest
    @CsvSource({
        "/w/a.txt, /w/A.TXT, true",
        "/w/É, /w/e\u0301, true",
        "/w/Straße/x, /w/STRASSE/x, true",
        "/w/Src, /w/src/a.txt, true",
        "/w/a.txt, /w/b.txt, false",
        "/w/src, /w/src2, false",
    })
    @Tag("B47")
    @DisplayName("two names that may be one file are one lock")
    void spellings(String one, String other, boolean conflict) {
        assertEquals(conflict, SideBySide.conflict(edit(one), edit(other)));
        assertEquals(conflict, SideBySide.conflict(edit(other), edit(one)));
    }

    @ParameterizedTest
    @CsvSource({
        "FILE, /w/a, FILE, /w/a, true",
        "FILE, /w/a, PURE, /w/a, true",
        "PURE, /w/a, PURE, /w/a, false",
        "FILE, /w/a, FILE, /w/b, false",
        "OPAQUE, '', FILE, /w/a, true",
        "OPAQUE, '', PURE, /w/a, true",
        "OPAQUE, '', OPAQUE, '', false",
    })
    @Tag("E15")
    @DisplayName("writers of one path keep their order, commands keep away from all else")
    void whoMayRunBesideWhom(
            Effect one, String its, Effect other, String others, boolean conflict) {
        assertEquals(conflict, SideBySide.conflict(call(one, its), call(other, others)));
        assertEquals(conflict, SideBySide.conflict(call(other, others), call(one, its)));
    }

    private static PreparedCall edit(String path) {
        return call(Effect.FILE, path);
    }

    private static PreparedCall call(Effect effect, String path) {
        FakeTool tool = new FakeTool("edit", effect, (_, _) -> ToolResult.ok(""));
        return new PreparedCall.Ready<>(
                new ToolCall("1", "edit", "{}"),
                tool,
                new FakeTool.Args(path),
                path,
                List.of(path));
    }
}
