package dev.agentloop.syntax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of a file after an edit, by parsers of our own and the languages' programs. */
class EditedFilesTest {
    private static final String PATH = System.getenv("PATH");

    @TempDir Path folder;
    private ProcessRunner runner;

    @BeforeEach
    void prepare() {
        runner =
                new ProcessRunner(
                        Map.of(
                                "PATH", PATH,
                                "HOME", System.getenv("HOME"),
                                "NODE_OPTIONS", "--require ./bitten.js",
                                "RUBYOPT", "-r./bitten.rb",
                                "BASH_ENV", "./bitten.sh"),
                        List.of("NODE_OPTIONS", "RUBYOPT", "BASH_ENV"));
    }

    @AfterEach
    void end() {
        runner.killAll();
    }

    private List<String> said(String name, String before, String after) throws IOException {
        Files.writeString(folder.resolve(name), after);
        return new EditedFiles(folder, runner)
                .problems(name, before.getBytes(StandardCharsets.UTF_8), new Cancellation());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python3|a.py|x = (1|line 1",
                "node|a.cjs|let x = ;|1",
                "node|a.mjs|import x from 'y'; let x y|line 1",
                "bash|a.sh|if true; then|line",
                "php|a.php|<?php $x = ;|unexpected token \";\" on line 1",
                "ruby|a.rb|def f(|line 1",
                "gofmt|a.go|package a func|1:",
            })
    @DisplayName("a language's own program names the line, and loads nothing of the repository")
    void programs(String program, String name, String text, String part) throws IOException {
        assumeTrue(runner.environment().program(program, folder).isPresent(), program);
        Files.writeString(folder.resolve("bitten.js"), "require('fs').writeFileSync('bitten', '')");
        Files.writeString(folder.resolve("bitten.rb"), "File.write('bitten', '')");
        Files.writeString(folder.resolve("bitten.sh"), "touch bitten");

        String said = String.join("\n", said(name, "", text));

        assertTrue(said.contains(part), said);
        assertFalse(Files.exists(folder.resolve("bitten")), "a file of the repository was run");
    }

    @Test
    @DisplayName("an error that was there before the edit is not told, wherever it stands now")
    void onlyWhatIsNew() throws IOException {
        assertEquals(List.of(), said("a.json", "{\"a\": }", "{\n\n\"a\": }"));
        assertFalse(said("a.json", "{\"a\": }", "[1, 2").isEmpty());
        assertFalse(said("a.json", "{\"a\": 1}", "{\"a\": }").isEmpty());
        assertEquals(List.of(), said("a.json", "{\"a\": }", "{\"a\": 1}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.json", "a.toml", "a.yaml"})
    @DisplayName("brackets by the ten thousand end neither the run nor the edit")
    void deep(String name) throws IOException {
        said(name, "", (name.endsWith("toml") ? "a = " : "") + "[".repeat(50_000));
    }

    @Test
    @DisplayName("a file for another tool first (JSX) is no error")
    void otherDialects() throws IOException {
        assertEquals(List.of(), said("a.js", "", "const a = <div>x</div>;\n"));
        assertEquals(List.of(), said("b.js", "", "const a = await fetch('x');\n"));
        assertEquals(
                List.of(), said("c.js", "", "/**\n * @flow strict\n */\nconst a: number = 1;\n"));
        assertEquals(List.of(), said("a.sh", "", "#!/bin/zsh\nprint -l ${(f)x} ((\n"));
        String globs = "shopt -s extglob\ncase $x in\n  !(a|b)) rm -- *(foo).c ;;\nesac\n";
        assertEquals(List.of(), said("b.sh", "", globs));
        assertEquals(List.of(), said("a.py", "", "#!/usr/bin/env python2\nprint 1\n"));
        assertEquals(List.of(), said("{{name}}.py", "", "import {{name}}\n"));
        assertEquals(List.of(), said("a.json", "", "\uFEFF{}"));
    }
}
