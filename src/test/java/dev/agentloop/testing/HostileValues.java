package dev.agentloop.testing;

import java.util.ArrayList;
import java.util.List;

/** What a model, or whoever speaks through one, may write where a tool expects something else. */
public final class HostileValues {
    private static final int NAME_TOO_LONG = 300; // bytes; file systems allow 255
    private static final int PATH_TOO_LONG = 3000; // components; Linux allows 4096 bytes
    private static final int DEEP = 20_000; // more than a stack may hold if it is followed

    private HostileValues() {}

    /** Texts, as JSON. */
    public static List<String> texts() {
        List<String> texts = new ArrayList<>();
        texts.addAll(
                List.of("", " ", "\\n", "\\t \\r\\n", "x\\n\\ny", "-", "--", "-rf", "-e", "%s%n"));
        texts.addAll(
                List.of("\\u0000", "x\\u0000y", "./\\u0000", "\\u001b[31m", "\\u202ex", "\\uffff"));
        texts.addAll(
                List.of("\\ud800", "x\\udfffy", "\\udc00\\ud800", "\\ud83d\\ude00", "\\u0085"));
        texts.addAll(List.of(".", "..", "../..", "x/..", "x/../..", "/", "//", "x/", "./x", "x/y"));
        texts.addAll(List.of("/dev/zero", "/dev/stdin", "/dev/tty", "/dev/full", "/dev/fd/0"));
        texts.addAll(List.of("/proc/self/mem", "/proc/self/fd/1", "/proc/kmsg", "/sys"));
        texts.addAll(List.of("fifo", "fifo/x", "loop", "loop/x", "zero", "folder", "dangling"));
        texts.addAll(List.of("~", "~/x", "~root", "$HOME", "${x", "C:\\\\x", "\\\\\\\\host\\\\x"));
        texts.addAll(List.of("file:///etc/passwd", "ftp://127.0.0.1/", "javascript:1", "data:,x"));
        texts.addAll(
                List.of("http://", "http://[", "http://127.0.0.1:1/", "http://x y/", "http:x"));
        texts.addAll(
                List.of("http://u:p@[::1]:99999/", "http://[::1]:-1/", "https:///x", "://", "#"));
        texts.addAll(
                List.of("http://127.0.0.1\\u0000.x/", "http://\\ud800/", "http://%zz/", "HTTP:"));
        texts.addAll(patterns());
        texts.addAll(List.of("n".repeat(NAME_TOO_LONG), "x/" + "n".repeat(NAME_TOO_LONG)));
        texts.addAll(List.of("d/".repeat(PATH_TOO_LONG), "../".repeat(PATH_TOO_LONG)));
        texts.addAll(List.of("\\u00e9".repeat(200), "NaN", "null", "true", "1e308", "#x", "x#y"));
        return texts.stream().map(text -> "\"" + text + "\"").toList();
    }

    /** What a regular expression, a glob or a command line may be. */
    private static List<String> patterns() {
        List<String> texts = new ArrayList<>();
        texts.addAll(
                List.of(
                        "(",
                        "[",
                        "[[:x",
                        "*{",
                        "a{2,1}",
                        "a{99999999}",
                        "(?<",
                        "\\\\",
                        "\\\\p{X}"));
        texts.addAll(List.of("(a+)+$", "(a|a)*$", "(.*)*x", "(?=(a+))*b", "((a*)*)*$", "\\\\1(a)"));
        texts.addAll(List.of("{", "{a,{b,{c", "[!", "[z-a]", "**/**/**/**/**/**/x", "{,,,}", "!"));
        texts.addAll(List.of("*".repeat(1000), "{a,b}".repeat(40), "(a*)*".repeat(30)));
        texts.addAll(List.of("(".repeat(DEEP), "[".repeat(DEEP), "{".repeat(DEEP)));
        texts.addAll(
                List.of("(a|".repeat(5000), "$(".repeat(2000), "`", "'", "\\\"", "<<", "x <<E"));
        return texts;
    }

    /** Long ones, which are tried by themselves. */
    public static List<String> longTexts() {
        return List.of(
                "\"" + "a".repeat(900_000) + "\"",
                "\"" + "x\\n".repeat(300_000) + "\"",
                "\"" + "a/".repeat(400_000) + "\"",
                "\"" + "a".repeat(1_100_000) + "\"");
    }

    /** What is no text, as JSON. */
    public static List<String> others() {
        return List.of(
                "null",
                "true",
                "0",
                "1",
                "-1",
                "-0.0",
                "0.5",
                "1e308",
                "-1e308",
                "1e999",
                "1e-999",
                "1e2147483648",
                "2147483647",
                "2147483648",
                "-2147483648",
                "9223372036854775807",
                "9223372036854775808",
                "9".repeat(2000),
                "\"9\"",
                "\"-1\"",
                "[]",
                "{}",
                "[null]",
                "[[[]]]",
                "[{}]",
                "[\"x\"]",
                "[\"\\u0000\",\"\\ud800\"]",
                "{\"x\":{\"x\":null}}",
                "[".repeat(900) + "]".repeat(900),
                "[".repeat(DEEP) + "]".repeat(DEEP),
                "{\"x\":".repeat(DEEP) + "1" + "}".repeat(DEEP));
    }

    /** What stands in place of all arguments. */
    public static List<String> wholes() {
        return List.of(
                "",
                " ",
                "null",
                "[]",
                "\"x\"",
                "1",
                "{",
                "{}",
                "{\"",
                "{}{}",
                "{} x",
                "\\ufeff{}",
                "NaN",
                "{\"x\":1}",
                "{\"\":null}",
                "{\"\\u0000\":\"\\ud800\"}",
                "{\"x\":1,\"x\":2}",
                "{\"x\":".repeat(DEEP),
                "{'x':1}",
                "{\"x\":01}",
                "{\"x\":\"\\x\"}",
                "\u0000",
                "\ufffd");
    }
}
