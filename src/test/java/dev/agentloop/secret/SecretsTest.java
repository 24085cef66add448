package dev.agentloop.secret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
    private static final String PASSWORD = "p&ss \"w/rd\" ü~9+x";
    private static final Secrets KNOWN = Secrets.of(Map.of("DB_PASSWORD", PASSWORD));
    private static final Secrets NOTHING_KNOWN = Secrets.of(Map.of());

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @Tag("D35")
    @DisplayName("a value is found as it is, URL-encoded and as JSON and HTML write it")
    void spellings() {
        String url = URLEncoder.encode(PASSWORD, StandardCharsets.UTF_8);
        String json = Json.quote(PASSWORD);
        for (String spelling :
                List.of(
                        PASSWORD,
                        url,
                        url.replace("+", "%20"),
                        url.toLowerCase(java.util.Locale.ROOT),
                        json.substring(1, json.length() - 1),
                        PASSWORD.replace("&", "&amp;"),
                        PASSWORD.replace("&", "&amp;").replace("\"", "&quot;"))) {
            assertEquals(
                    "a [redacted:DB_PASSWORD] b", KNOWN.mask("a " + spelling + " b"), spelling);
        }
    }

    @Test
    @Tag("D35")
    @DisplayName("nothing of a value is left of base64, whatever stands around it")
    void base64() {
        for (int before = 0; before < 7; before++) {
            for (int after = 0; after < 4; after++) {
                String text = "x".repeat(before) + PASSWORD + "y".repeat(after);
                for (Base64.Encoder encoder :
                        List.of(
                                Base64.getEncoder(),
                                Base64.getUrlEncoder(),
                                Base64.getEncoder().withoutPadding(),
                                Base64.getMimeEncoder(20, new byte[] {'\n'}))) {
                    String masked = KNOWN.mask(encoder.encodeToString(utf8(text)));
                    String[] rest = masked.split("\\[redacted:DB_PASSWORD]", -1);
                    assertEquals(2, rest.length, masked);
                    assertTrue(rest[0].replace("\n", "").length() <= before * 4 / 3 + 1, masked);
                    assertTrue(rest[1].replace("\n", "").length() <= after * 4 / 3 + 3, masked);
                }
            }
        }
    }

    @ParameterizedTest
    @Tag("D36")
    @DisplayName("secrets that can be told by their looks are masked")
    @CsvSource({
        "AWS_KEY,AKIAIOSFODNN7EXAMPLE",
        "GITHUB_TOKEN,ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "GITHUB_TOKEN,github_pat_11ABCDEFG0abcdefghijkl_0123456789abcdefghijklmnopqrstuvwxyz",
        "GITHUB_TOKEN,ghs_16C7e42F292c6912E7710c838347Ae178B4a",
        "GITLAB_TOKEN,glpat-AbCdEfGhIjKlMnOpQrSt",
        "GITLAB_TOKEN,glpat-AbCdEfGhIjKlMnOpQrStUvWxYz12345.01.0a1b2c3d4",
        "GITLAB_TOKEN,glrt-t1_AbCdEfGhIjKlMnOpQrSt",
        "SLACK_TOKEN,xoxb-123456789012-123456789012-AbCdEfGhIjKl",
        "GOOGLE_API_KEY,AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "GOOGLE_TOKEN,ya29.a0AfH6SMBx1234567890abcdef",
        "GOOGLE_SECRET,GOCSPX-1234567890abcdefABCDEF123456",
        "STRIPE_KEY,sk_live_4eC39HqLyjWDarjtT1zdp7dc",
        "API_KEY,sk-proj-AbCdEfGh1234567890AbCdEfGh",
        "API_KEY,sk-ant-api03-AbCdEfGh1234567890AbCdEfGh-AA",
        "NPM_TOKEN,npm_0123456789abcdefghijABCDEFGHIJ012345",
        "PYPI_TOKEN,pypi-AgEIcHlwaS5vcmcCJGFiY2RlZmdoLTAxMjMtNDU2Ny04OWFiLWNkZWYwMTIzNDU2Nw",
        "JWT,eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    })
    void looks(String kind, String token) {
        String mask = "[redacted:" + kind + "]";
        assertEquals(mask, NOTHING_KNOWN.mask(token));
        assertEquals("a " + mask + " b", NOTHING_KNOWN.mask("a " + token + " b"));
        assertEquals("(see " + mask + ").", NOTHING_KNOWN.mask("(see " + token + ")."));
        assertEquals("\"k\\n" + mask + "\"", NOTHING_KNOWN.mask("\"k\\n" + token + "\""));
        assertEquals("?t%3D" + mask + "&x", NOTHING_KNOWN.mask("?t%3D" + token + "&x"));
        String word = "some" + token;
        assertSame(word, NOTHING_KNOWN.mask(word), "in the middle of a word it is something else");
    }

    @ParameterizedTest
    @Tag("D36")
    @DisplayName("what a name announces is masked, the name stays")
    @CsvSource({
        "'aws_secret_access_key = ',wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY,AWS_SECRET",
        "AWS_SECRET_ACCESS_KEY=,wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY,AWS_SECRET",
        "\"SecretAccessKey\": \",wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY,AWS_SECRET",
        "AKIAIOSFODNN7EXAMPLE;,wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY,AWS_SECRET",
        "MISTRAL_API_KEY=,a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6,API_KEY",
        "//registry.npmjs.org/:_authToken=,0123abcd-0123-4567-89ab-0123456789ab,NPM_TOKEN",
        "'Authorization: Bearer ',abcdef.0123456789_abcdef,BEARER_TOKEN",
        "'Authorization: Basic ',dXNlcjpwYXNzdzByZA,BASIC_AUTH",
        "postgres://app:,hunter2@x,URL_PASSWORD",
    })
    void names(String name, String value, String kind) {
        String masked =
                NOTHING_KNOWN.mask(name + value + (kind.equals("URL_PASSWORD") ? "@h/d" : "\n"));
        assertTrue(masked.contains("[redacted:" + kind + "]"), masked);
        assertFalse(masked.contains(value), masked);
        assertEquals(name.startsWith("AKIA") ? "[" : name.substring(0, 1), masked.substring(0, 1));
    }

    @ParameterizedTest
    @Tag("D36")
    @DisplayName("what is no secret is left alone")
    @ValueSource(
            strings = {
                "sk-folding-cube-with-a-long-name",
                "sk-learn",
                "api_key = os.environ[\"MISTRAL_API_KEY\"]",
                "apiKey: configuration.getRequiredStringValue(name)",
                "https://example.com/a:b@c",
                "https://user@example.com/",
                "postgres://app:${DB_PASSWORD}@h/d",
                "-----BEGIN PRIVATE KEY----- begins such a file, says the documentation",
                "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n",
                "npm_config_registry",
                "The bearer of this understands it: Bearer tokens are strings",
                "da39a3ee5e6b4b0d3255bfef95601890afd80709",
                "[[secret:API_KEY:0123456789abcdef0123]]",
            })
    void nothing(String text) {
        assertSame(text, NOTHING_KNOWN.mask(text));
    }

    @Test
    @Tag("D36")
    @DisplayName("of a private key no line is left, with numbers in front, escaped, cut off")
    void privateKey() {
        Random random = new Random(7);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            byte[] bytes = new byte[i == 19 ? 21 : 48];
            random.nextBytes(bytes);
            lines.add(Base64.getEncoder().encodeToString(bytes));
        }
        String head = "-----BEGIN RSA PRIVATE KEY-----";
        String end = "-----END RSA PRIVATE KEY-----";
        StringBuilder numbered = new StringBuilder("     1\t" + head + "\n");
        for (int i = 0; i < lines.size(); i++) {
            numbered.append("    %2d\t%s%n".formatted(i + 2, lines.get(i)));
        }
        String body = String.join("\n", lines);
        for (String text :
                List.of(
                        head + "\n" + body + "\n" + end + "\nafter",
                        head + "\r\n" + body.replace("\n", "\r\n") + "\r\n" + end + "\r\nafter",
                        "{\"key\": \"" + head + "\\n" + body.replace("\n", "\\n") + "\\n\"} after",
                        head
                                + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n"
                                + body
                                + "\nafter",
                        numbered + "    22\t" + end + "\nafter",
                        head + "\n" + body.substring(0, 500) + "\nafter")) {
            String masked = NOTHING_KNOWN.mask(text);
            for (String line : lines) {
                assertFalse(masked.contains(line.substring(0, 10)), masked);
            }
            assertTrue(masked.endsWith("after"), masked);
            assertEquals(text.lines().count(), masked.lines().count());
        }
    }

    @ParameterizedTest
    @Tag("D35")
    @DisplayName("of the environment the secrets are known, not words, paths and addresses")
    @CsvSource({
        "MY_TOKEN,s3cr3t-value,true",
        "PGPASSWORD,Tr0ub4dor,true",
        "SESSION_COOKIE,abc123def456,true",
        "HTTPS_PROXY,http://me:Tr0ub4dor&3@proxy:8080,true",
        "KEY_FILE,/home/me/key-1.pem,false",
        "SSH_AUTH_SOCK,/tmp/ssh-1/agent.2,false",
        "GIT_AUTHOR_NAME,Ada B. Lovelace 2,false",
        "MAX_TOKENS,100000000,false",
        "PASSWORD,changeme,false",
        "PASSWORD,abc123,false",
        "AUTH_URL,https://login.example/v2,false",
        "LANG,C.UTF-8-and-more,false",
    })
    void variables(String name, String value, boolean secret) {
        String shown = value.contains("://me:") ? "Tr0ub4dor&3" : value;
        String masked = Secrets.of(Map.of(name, value)).mask("a " + shown + " b");
        assertEquals(secret ? "a [redacted:" + name + "] b" : "a " + shown + " b", masked);
    }

    @Test
    @Tag("D35")
    @DisplayName("a text without secrets is the same instance, and what is added counts")
    void adding() {
        Secrets secrets = Secrets.of(Map.of());
        String text = "x".repeat(5_000) + " the-9-key " + "y".repeat(5_000);
        assertSame(text, secrets.mask(text));
        secrets.add("ODD", "the-9-key");
        assertTrue(secrets.mask(text).contains("[redacted:ODD]"));
    }

    @Test
    @Tag("D35")
    @DisplayName("a megabyte costs milliseconds")
    void speed() {
        StringBuilder text = new StringBuilder();
        Random random = new Random(1);
        while (text.length() < 1 << 20) {
            text.append("    private final List<String> names_").append(random.nextInt(1_000_000));
            text.append(" = config.getAll(\"https://example.com/x\"); // see --help\n");
        }
        String large = text.toString();
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 30; i++) {
            String fresh = new String(large.toCharArray());
            long start = System.nanoTime();
            assertSame(fresh, KNOWN.mask(fresh));
            best = Math.min(best, System.nanoTime() - start);
        }
        assertTrue(best < 50_000_000, "1 MB took " + best / 1_000_000 + " ms");
    }
}
