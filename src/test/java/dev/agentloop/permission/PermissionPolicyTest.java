package dev.agentloop.permission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.call.PreparedCall;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PermissionPolicyTest {
    @Test
    void presetsDecideWhereNoRuleSpeaks() {
        assertEquals(Verdict.ALLOW, decide(ConfirmPreset.CONFIRM_SENSITIVE, Effect.PURE, "a"));
        assertEquals(Verdict.ASK, decide(ConfirmPreset.CONFIRM_SENSITIVE, Effect.FILE, "a"));
        assertEquals(Verdict.ASK, decide(ConfirmPreset.CONFIRM_ALL, Effect.OPAQUE, "a"));
        assertEquals(Verdict.ALLOW, decide(ConfirmPreset.YOLO, Effect.OPAQUE, "a"));
    }

    @Test
    @Tag("scenario-42")
    @Tag("C37")
    @DisplayName("a rule that denies wins over allow rules and yolo")
    void denyAlwaysWins() {
        assertEquals(
                Verdict.DENY,
                decide(ConfirmPreset.YOLO, Effect.FILE, ".env", "+tool", "-tool(**/.env)"));
        assertEquals(
                Verdict.DENY,
                decide(ConfirmPreset.YOLO, Effect.FILE, "a/b/.env", "-tool(**/.env)", "+tool"));
    }

    @ParameterizedTest
    @Tag("B47")
    @DisplayName("what denies or asks holds for every spelling of a path, what allows for its own")
    @CsvSource({
        "-tool(**/.env), a/.ENV, DENY",
        "-tool(Secret/**), SECRET/x, DENY",
        "-tool(É), e\u0301, DENY",
        "-tool(ß/**), SS/x, DENY",
        "-tool(a), b, ALLOW",
        "?tool(Src/**), src/x, ASK",
    })
    void spellingsOfAPath(String rule, String path, Verdict verdict) {
        assertEquals(verdict, decide(ConfirmPreset.CONFIRM_SENSITIVE, Effect.PURE, path, rule));
        assertEquals(
                Verdict.ASK,
                decide(ConfirmPreset.CONFIRM_SENSITIVE, Effect.FILE, "SRC/x", "+tool(src/**)"));
    }

    @Test
    void anAskRuleAsksUnlessYolo() {
        assertEquals(
                Verdict.ASK, decide(ConfirmPreset.CONFIRM_SENSITIVE, Effect.PURE, "a", "?tool"));
        assertEquals(Verdict.ALLOW, decide(ConfirmPreset.YOLO, Effect.PURE, "a", "?tool"));
    }

    @ParameterizedTest
    @CsvSource({
        "src/**, src/a/b.c, true",
        "src/**, src2/a, false",
        "src/*, src/a.c, true",
        "src/*, src/a/b.c, false",
        "**/.env, .env, true",
        "**/.env, x/y/.env, true",
        "**/.env, x/a.env, false",
        "**.md, docs/x.md, true",
        "*.md, docs/x.md, false",
        "a.c, a.c, true",
        "'', a.c, false",
    })
    void pathPatterns(String pattern, String path, boolean matches) {
        assertEquals(matches, Wildcard.matches(pattern, path, true));
    }

    @Test
    void aPatternOfManyStarsIsNotSlow() {
        String text = "a".repeat(5_000);

        assertEquals(false, Wildcard.matches("*a".repeat(50) + "b", text, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"git status", "git status --short", "git status -s src"})
    void anAllowRuleMatchesPlainCommands(String command) {
        assertEquals(Verdict.ALLOW, command(command, "+tool(git status*)"));
    }

    @ParameterizedTest
    @Tag("D13")
    @Tag("D14")
    @Tag("D15")
    @Tag("D16")
    @Tag("D17")
    @DisplayName("an allow rule never matches what could run another program")
    @ValueSource(
            strings = {
                "git status; rm -rf src",
                "git status && rm x",
                "git status || rm x",
                "git status | sh",
                "git status & rm x",
                "git status\nrm x",
                "git status\rrm x",
                "git status $(rm x)",
                "git status `rm x`",
                "git status <(rm x)",
                "git status ${X@P}",
                "git status \"$(rm x)\"",
                "git status {a,b}",
                "git status *",
            })
    void anAllowRuleNeverMatchesCompoundCommands(String command) {
        assertEquals(Verdict.ASK, command(command, "+tool(git status*)"));
    }

    @Test
    @Tag("D15")
    @Tag("D16")
    @Tag("P5")
    @DisplayName("what is only spelled oddly is allowed, what writes into .git denied")
    void oddSpellings() {
        assertEquals(Verdict.ALLOW, command("git status # x", "+tool(git status*)"));
        assertEquals(Verdict.ALLOW, command("git status \\\n-s", "+tool(git status -s)"));
        assertEquals(Verdict.ALLOW, command("git  'stat'us", "+tool(git status*)"));
        assertEquals(Verdict.DENY, command("git status > .git/config", "+tool(git status*)"));
    }

    @ParameterizedTest
    @Tag("D20")
    @DisplayName("a deny rule looks at every part of a command")
    @ValueSource(
            strings = {
                "rm -rf src",
                "ls; rm -rf src",
                "a && rm -rf src",
                "$(rm -rf src)",
                "x|rm -rf s"
            })
    void aDenyRuleLooksAtEveryPart(String command) {
        assertEquals(Verdict.DENY, command(command, "-tool(rm *)", "+tool"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "(x)", "tool(", "tool()", "tool(x", "to ol(x)", "tool)x("})
    void whatIsNoRuleIsRefused(String text) {
        assertEquals(Optional.empty(), Rule.parse(text, Verdict.ALLOW));
    }

    @Test
    @DisplayName("of several files of one call the one that is allowed least decides")
    void severalSubjects() {
        String[] rules = {"+tool(src/**)", "-tool(src/secret)"};
        assertEquals(Verdict.ALLOW, files(List.of("src/a", "src/b"), rules));
        assertEquals(Verdict.ASK, files(List.of("src/a", "doc/b"), rules));
        assertEquals(Verdict.DENY, files(List.of("doc/b", "src/secret", "src/a"), rules));
    }

    private static Verdict files(List<String> subjects, String... rules) {
        FakeTool tool = new FakeTool("tool", Effect.FILE, (_, _) -> ToolResult.ok(""));
        return policy(ConfirmPreset.CONFIRM_SENSITIVE, rules)
                .decide(
                        new PreparedCall.Ready<>(
                                new ToolCall("1", "tool", "{}"),
                                tool,
                                new FakeTool.Args(""),
                                "",
                                subjects,
                                List.of()))
                .verdict();
    }

    private static Verdict command(String command, String... rules) {
        return decide(ConfirmPreset.CONFIRM_SENSITIVE, Effect.OPAQUE, command, rules);
    }

    /** Rules are written {@code +allow}, {@code ?ask}, {@code -deny}. */
    private static Verdict decide(
            ConfirmPreset preset, Effect effect, String subject, String... rules) {
        FakeTool tool = new FakeTool("tool", effect, (_, _) -> ToolResult.ok(""));
        PreparedCall.Ready<FakeTool.Args> ready =
                new PreparedCall.Ready<>(
                        new ToolCall("1", "tool", "{}"),
                        tool,
                        new FakeTool.Args(subject),
                        subject,
                        List.of());
        return policy(preset, rules).decide(ready).verdict();
    }

    private static PermissionPolicy policy(ConfirmPreset preset, String... rules) {
        List<Rule> parsed = new ArrayList<>();
        for (String rule : rules) {
            Verdict verdict =
                    switch (rule.charAt(0)) {
                        case '+' -> Verdict.ALLOW;
                        case '?' -> Verdict.ASK;
                        default -> Verdict.DENY;
                    };
            parsed.add(Rule.parse(rule.substring(1), verdict).orElseThrow());
        }
        return new PermissionPolicy(
                parsed,
                preset,
                Circumstances.plain(Supervision.UNTRUSTED_TERMINAL, Path.of("/ws")),
                Guardrails.NONE);
    }
}
