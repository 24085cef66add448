package dev.agentloop.markdown;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.colour.Background;
import dev.agentloop.colour.Colours;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodeColoursTest {
    private static final String KEYWORD = "\u001b[35m";
    private static final String STRING = "\u001b[32m";
    private static final String COMMENT = "\u001b[2m";
    private static final String[] PIECES = {
        "\"",
        "'",
        "`",
        "\"\"\"",
        "/*",
        "*/",
        "//",
        "#",
        "<!--",
        "-->",
        "<a b='",
        "${",
        "}",
        "{",
        "\\",
        "=",
        "class",
        " def ",
        "0x1F",
        "1.5e",
        "\t",
        " ",
        "é",
        "漢",
        "😀",
        "\u202e",
        "<?php",
        "?>",
        "<<EOF",
        "EOF",
        "[[",
        "]]",
        "@x",
        "%",
        "$",
        ";",
        "\u0001",
        "[%",
        "%>",
        "<script>",
        "</script>",
        "&amp;"
    };

    private static CodeColours of(String language) {
        return new CodeColours(new Looks(true, Colours.OWN), language);
    }

    private static String bare(String shown) {
        return shown.replaceAll("\u001b\\[[0-9;]*m", "");
    }

    @Test
    @DisplayName("words, strings and comments of a language have their colours, also across lines")
    void java() {
        CodeColours code = of("java");
        String first = code.line("class A { /* begun");
        assertTrue(first.startsWith(KEYWORD + "class"), first);
        assertTrue(code.line("goes on").startsWith(COMMENT + "goes"));
        String last = code.line("*/ String s = \"x\";");
        assertTrue(last.contains(STRING + "\"x\""), last);
        assertEquals("*/ String s = \"x\";", bare(last));
    }

    @Test
    @DisplayName("a language that nobody knows, and one that is not said, looks like code")
    void unknown() {
        assertEquals("\u001b[36mfoo\u001b[0m", of("brainfuck").line("foo"));
        assertEquals("\u001b[36mfoo\u001b[0m", of("").line("foo"));
        assertEquals("", of("").line(""));
        Looks plain = new Looks(true, Colours.NONE);
        assertEquals("class A", new CodeColours(plain, "java").line("class A"));
    }

    @Test
    @DisplayName("a light background has other colours than a dark one")
    void backgrounds() {
        Colours light = new Colours(Colours.Depth.TRUE, Background.LIGHT);
        Colours dark = new Colours(Colours.Depth.PALETTE, Background.DARK);
        String onLight = new CodeColours(new Looks(true, light), "py").line("return 1");
        String onDark = new CodeColours(new Looks(true, dark), "py").line("return 1");
        assertTrue(onLight.startsWith("\u001b[38;2;122;69;176mreturn"), onLight);
        assertTrue(onDark.startsWith("\u001b[38;5;"), onDark);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java",
                "py",
                "js",
                "ts",
                "json",
                "jsonc",
                "yaml",
                "xml",
                "html",
                "css",
                "less",
                "c",
                "cpp",
                "cs",
                "go",
                "rust",
                "kotlin",
                "ruby",
                "php",
                "sh",
                "sql",
                "lua",
                "perl",
                "toml",
                "properties",
                "dockerfile",
                "makefile",
                "groovy",
                "scala",
                "markdown",
                "powershell",
                "bat",
                "latex",
                "clojure",
                "lisp",
                "d",
                "dart",
                "proto",
                "csv",
                "jsp",
                "handlebars",
                "mxml",
                "sas",
                "nsis",
                "tcl",
                "vb",
                "vhdl",
                "delphi",
                "fortran",
                "hosts",
                "htaccess",
                "bbcode",
                "dtd",
                "actionscript",
                "asm",
                "asm6502",
                "text"
            })
    @DisplayName("whatever the text is, no character of it is lost, and none added")
    void anyText(String language) {
        Random random = new Random(11);
        CodeColours code = of(language);
        for (int i = 0; i < 2_000; i++) {
            StringBuilder line = new StringBuilder();
            for (int j = random.nextInt(12); j > 0; j--) {
                line.append(PIECES[random.nextInt(PIECES.length)]);
            }
            assertEquals(line.toString(), bare(code.line(line.toString())), language);
        }
        String long1 = "x(\"".repeat(600);
        assertEquals(long1, bare(code.line(long1)));
        String long2 = "<a b='" + "/*".repeat(5_000);
        assertEquals(long2, bare(code.line(long2)));
    }
}
