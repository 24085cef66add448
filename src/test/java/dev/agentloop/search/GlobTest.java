package dev.agentloop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "*.java A.java true",
                "*.java src/main/A.java true",
                "*.java A.javax false",
                "src/*.java src/A.java true",
                "src/*.java src/x/A.java false",
                "src/**/*.java src/A.java true",
                "src/**/*.java src/x/y/A.java true",
                "**/*.java A.java true",
                "**/A.java x/y/A.java true",
                "src/** src/x/y true",
                "./src/a src/a true",
                "/src/a src/a true",
                "a?c abc true",
                "a?c a/c false",
                "[ab].txt a.txt true",
                "[!ab].txt a.txt false",
                "[a-c].txt b.txt true",
                "[ab [ab true",
                "*.{py,js} x/a.js true",
                "*.{py,js} a.{py,js} false",
                "a{b a{b true",
                "a+(b).txt a+(b).txt true",
                "\\*.txt *.txt true",
                "\\*.txt a.txt false",
                ".* .hidden true",
                "é* ete false",
                "é* éa true",
            })
    void aGlobMatchesAsPeopleExpect(String glob, String path, boolean matches) {
        assertEquals(matches, Glob.of(glob).matches(path));
    }
}
