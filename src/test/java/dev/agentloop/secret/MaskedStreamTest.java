package dev.agentloop.secret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MaskedStreamTest {
    private static final String VALUE = "zq-4711/geheim+x";
    private static final Secrets SECRETS = Secrets.of(Map.of("MY_TOKEN", VALUE));

    @Test
    @Tag("D35")
    @DisplayName("a text in pieces is masked as the whole is, wherever it is cut")
    void everyCut() {
        String encoded = Base64.getEncoder().encodeToString(VALUE.getBytes());
        String text =
                "so zq- z "
                        + VALUE
                        + ", "
                        + encoded
                        + " \\nghp_16C7e42F292c6912E7710c838347Ae178B4a. AKIAIOSFODNN7EXAMPLE and"
                        + " http://a:hunter22@h/ sk-x -----BEGIN - eyJ zq-4711/gehei";
        String whole = SECRETS.mask(text);
        for (int size = 1; size < 60; size++) {
            MaskedStream stream = new MaskedStream(SECRETS);
            StringBuilder shown = new StringBuilder();
            for (int at = 0; at < text.length(); at += size) {
                shown.append(stream.add(text.substring(at, Math.min(text.length(), at + size))));
            }
            assertEquals(whole, shown + stream.end(), "in pieces of " + size);
        }
    }

    @Test
    @Tag("D35")
    @DisplayName("random pieces of random texts come out as the whole does")
    void randomTexts() {
        List<String> parts =
                List.of(
                        VALUE,
                        "zq-",
                        "z",
                        "-----BEGIN RSA PRIVATE KEY-----\n",
                        "A".repeat(64),
                        "\n",
                        " ",
                        "sk-",
                        "abc123def456ghi789jkl",
                        "api_key=",
                        "://",
                        "u:p4ss@h",
                        "ghp_",
                        "eyJhbGciOiJI.",
                        "=",
                        "\\n",
                        "%3D",
                        "ü");
        Random random = new Random(42);
        for (int round = 0; round < 3_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(12); i >= 0; i--) {
                text.append(parts.get(random.nextInt(parts.size())));
            }
            MaskedStream stream = new MaskedStream(SECRETS);
            StringBuilder shown = new StringBuilder();
            for (int at = 0; at < text.length(); ) {
                int end = Math.min(text.length(), at + 1 + random.nextInt(9));
                shown.append(stream.add(text.substring(at, end)));
                at = end;
            }
            assertEquals(SECRETS.mask(text.toString()), shown + stream.end(), text::toString);
        }
    }

    @Test
    @Tag("D35")
    @DisplayName("ordinary text is shown at once but for what may begin a secret")
    void nothingWaits() {
        MaskedStream stream = new MaskedStream(SECRETS);
        assertEquals("Hello, I am ", stream.add("Hello, I am "));
        assertEquals("all", stream.add("all"));
        assertEquals(" with ", stream.add(" with zq-47"));
        assertEquals("zq-47 times. ", stream.add(" times. "));
        assertEquals("", stream.end());
        assertTrue(stream.add("A new one.").startsWith("A new"), "and the next text");
    }
}
