package dev.agentloop.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTemplateTest {
    @Test
    void aPlainCommandIsSplitAsAShellWould() {
        assertEquals(
                List.of("ruff", "check", "a b.py", "--no-fix"),
                argv("ruff check {file} --no-fix", "a b.py"));
        assertEquals(
                List.of("lint", "--path=x;y", "two words", "it's", "a\"b", ""),
                argv("lint --path={file} 'two words' \"it's\" a\\\"b ''", "x;y"));
        assertEquals(
                List.of("lint", "say \"x\"", "a\\b", "$x", "\\n", "a", "\\"),
                argv("lint \"say \\\"x\\\"\" \"a\\\\b\" \"\\$x\" \"\\n\" {file} \\", "a"));
        assertEquals(List.of("make", "lint"), argv("make lint", "a"));
        assertEquals(List.of("bash", "lint.sh", "a"), argv("bash lint.sh {file}", "a"));
        assertEquals(List.of("sh", "-e", "a"), argv("sh -e {file}", "a"));
        assertEquals(List.of("perl", "-c", "x", "a"), argv("perl -c x {file}", "a"));
    }

    @Test
    @Tag("D25")
    @DisplayName("a name that begins with a dash is no option")
    void aNameThatBeginsWithADashIsNoOption() {
        assertEquals(List.of("lint", "./-rf.py"), argv("lint {file}", "-rf.py"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '^',
            value = {
                "lint {file} | head -5! lint \"${1}\" | head -5",
                "a && b \"{file}\"! a && b \"${1}\"",
                "a '{file}' > out! a ''\"${1}\"'' > out",
                "a 'x{file}y'; b! a 'x'\"${1}\"'y'; b",
                "X=1 lint {file}! X=1 lint \"${1}\"",
                "lint \"$HOME/x\" {file}! lint \"$HOME/x\" \"${1}\"",
                "lint \"a\\\"b\" {file} &! lint \"a\\\"b\" \"${1}\" &",
                "lint a\\;b {file} &! lint a\\;b \"${1}\" &",
                "true;(lint {file})! true;(lint \"${1}\")",
                "cat<in {file}! cat<in \"${1}\"",
            })
    void whatNeedsAShellGetsTheNameAsAParameter(String template, String script) {
        assertEquals(
                List.of("/bin/sh", "-c", script.strip(), "hook", "$(x)"), argv(template, "$(x)"));
    }

    @Tag("D30")
    @DisplayName("a template in which the name could be program text is refused")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sh -c 'lint {file}'",
                "bash -lc {file}",
                "eval lint {file}",
                "ssh host lint {file}",
                "echo \"$(lint {file})\"",
                "echo `lint {file}`",
                "python3 -c \"print('{file} x')\"",
                "python3 -c 'print(\"{file}\")'",
                "python3 -c {file}",
                "perl -ne {file}",
                "sh -c -- {file}",
                "sh -ce {file}",
                "node -e x={file};1",
                "lint 'all of {file}'",
                "lint 'f({file}'",
                "lint {file} $(date)",
                "lint \"$(date)\" {file}",
                "lint {file} << end",
                "lint \"{file}\\",
                "lint '{file}",
                " ",
            })
    void aTemplateInWhichTheNameCouldBeProgramTextIsRefused(String template) {
        var refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> new HookCommand("h", template, List.of(), java.time.Duration.ZERO));
        assertTrue(String.valueOf(refused.getMessage()).startsWith("hook command \"" + template));
    }

    private static List<String> argv(String template, String file) {
        return CommandTemplate.parse(template).argv(file);
    }
}
