package dev.agentloop.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HostPatternTest {
    @ParameterizedTest
    @Tag("D65")
    @DisplayName("a pattern means one server, whole, after IDNA, with its port")
    @CsvSource({
        "example.com, https://example.com/a, true",
        "example.com, http://example.com/, true",
        "EXAMPLE.com., https://example.com/, true",
        "example.com, https://example.com./, true",
        "example.com, https://example.com.evil/, false",
        "example.com, https://evil-example.com/, false",
        "example.com, https://example.com@evil/, false",
        "example.com, https://evil/?example.com, false",
        "example.com, https://evil#@example.com, false",
        "example.com, https://sub.example.com/, false",
        "example.com, https://example.com:8443/, false",
        "example.com, https://xn--exmple-4nf.com/, false",
        "example.com:8443, https://example.com:8443/, true",
        "example.com:8443, https://example.com/, false",
        "*.example.com, https://a.b.example.com/, true",
        "*.example.com, https://example.com/, false",
        "*.example.com, https://evilexample.com/, false",
        "bücher.example, https://xn--bcher-kva.example/, true",
        "[::1]:80, http://[0:0:0:0:0:0:0:1]/, true",
        "example.com:443, https://example.com/, true",
        "example.com:443, http://example.com/, false",
        "[::1]:8080, http://[0:0:0:0:0:0:0:1]:8080/, true",
        "127.0.0.1:3000, http://127.0.0.1:3000/x, true",
    })
    void matches(String pattern, String url, boolean matches) {
        assertEquals(matches, HostPattern.parse(pattern).orElseThrow().matches(url));
    }

    @ParameterizedTest
    @Tag("D65")
    @DisplayName("what denies a server denies its ports and all below it")
    @CsvSource({
        "example.com, https://sub.example.com:99/, true",
        "example.com, https://example.com:99/, true",
        "example.com, https://evil-example.com/, false",
        "example.com:99, https://example.com/, false",
    })
    void touches(String pattern, String url, boolean touches) {
        assertEquals(touches, HostPattern.parse(pattern).orElseThrow().touches(url));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "https://example.com",
                "example.com/docs",
                "a@b",
                "ex*mple.com",
                "*",
                "*.",
                "a..b",
                "example.com:0",
                "example.com:99999",
                "example.com:x",
                "*.127.0.0.1",
                "a b"
            })
    void otherWordsAreNoPattern(String text) {
        assertTrue(HostPattern.parse(text).isEmpty());
    }
}
