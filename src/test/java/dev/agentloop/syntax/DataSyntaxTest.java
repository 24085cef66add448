package dev.agentloop.syntax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataSyntaxTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a.json|{\"a\": [1, 2}|line 1",
                "a.json|{\"a\": 1 // why\\n}|line 1",
                "a.json|{\"a\": {{\"b\": 1}}}|line 1",
                "package.json|{\"a\": 1,}|line 1",
                "a.yaml|a: [1, 2\\nb: 3\\n|line 2",
                "a.yml|a: b: c\\n|line 1",
                "a.toml|a = \\n|line 1",
                "a.toml|[a\\nb = 1\\n|line 1",
                "a.xml|<a>\\n<b></a>|line 2",
                "pom.xml|<a|line 1",
            })
    void whatIsWrongIsToldWithItsPlace(String file, String text, String place) {
        String problem = problem(file, text).orElse("");

        assertTrue(problem.startsWith(place + ", column "), problem);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a.json|{\"a\": [1, 2]}",
                "tsconfig.json|{\"a\": 1, /* why */ \"b\": [2,],}",
                ".vscode/settings.json|{// x\\n}",
                "config/settings.json|{// x\\n}",
                "values.json|{\"a\": {{ value }} }",
                "a.yaml|a: !Ref b\\n---\\nc: &x {d: *x}\\n",
                "a.yaml|{{ include \"x\" . }}\\n",
                "a.toml|[a.b]\\nc = 1979-05-27T07:32:00Z\\nd = ['x', \"y\"]\\n",
                "a.xml|<?xml version='1.0'?><a xmlns:x='y'><x:b>&lt;</x:b></a>",
                "a.svg|<!DOCTYPE svg PUBLIC 'x' 'http://127.0.0.1:1/none.dtd'><svg/>",
            })
    void whatIsRightIsNotComplainedOf(String file, String text) {
        assertEquals(Optional.empty(), problem(file, text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": [1, 2}",
                "[1, 2",
                "{\"a\": NaN}",
                "{\"a\": 1 // why\n}",
                "{a: 1}",
                "nul"
            })
    void noSettingOfAParserIsNamed(String text) {
        String problem = problem("a.json", text).orElseThrow();

        assertFalse(problem.matches(".*(REDACTED|Feature|enable|code \\d).*"), problem);
    }

    @Test
    void anEntityLeadsToNoFile() {
        String text = "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>";

        assertEquals(Optional.empty(), problem("a.xml", text));
    }

    private static Optional<String> problem(String file, String text) {
        return DataSyntax.of(file).orElseThrow().problem(file, text.replace("\\n", "\n"));
    }
}
