package dev.agentloop.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChildEnvironmentTest {
    @Test
    @Tag("D32")
    @DisplayName("names and values that look like secrets do not reach commands")
    void secretsDoNotReachCommands() {
        Map<String, String> parent = new HashMap<>();
        for (String name :
                List.of(
                        "OPENAI_API_KEY",
                        "github_token",
                        "MY_SECRET_X",
                        "PGPASSWORD",
                        "GOOGLE_APPLICATION_CREDENTIALS",
                        "AWS_REGION",
                        "JAVA_TOOL_OPTIONS",
                        "JDK_JAVA_OPTIONS",
                        "_JAVA_OPTIONS",
                        "AGENT_ARGV_HEX",
                        "OLDPWD")) {
            parent.put(name, "x");
        }
        parent.put("NODE_INNOCENT", "sk-canary-0123456789");
        parent.put("AGENT_ALSO", "ghp_0123456789abcdef");
        parent.put("NPM_TOKEN", "short");
        parent.put("PIP_INDEX_URL", "https://me:word@pypi.example.com/simple");
        parent.put("HOME", "/home/me");
        Map<String, String> child = child(parent, List.of());
        parent.keySet().stream()
                .filter(name -> !name.equals("HOME"))
                .forEach(name -> assertFalse(child.containsKey(name), name));
        assertEquals("/home/me", child.get("HOME"));
    }

    @Test
    @Tag("D32")
    @DisplayName("names that the user lists are passed as they are")
    void namesThatTheUserListsArePassed() {
        Map<String, String> parent = Map.of("NPM_TOKEN", "t", "CI", "true", "A_KEY", "k");
        Map<String, String> child = child(parent, List.of("NPM_TOKEN", "CI", "NONE"));
        assertEquals("t", child.get("NPM_TOKEN"));
        assertEquals("true", child.get("CI"));
        assertFalse(child.containsKey("A_KEY"));
        assertFalse(child.containsKey("NONE"));
    }

    @Test
    @Tag("D32")
    @DisplayName("a name that nobody has listed does not reach commands, toolchains do")
    void onlyListedNamesReachCommands() {
        Map<String, String> parent = new HashMap<>();
        List<String> tools =
                List.of(
                        "JAVA_HOME",
                        "GOPATH",
                        "VIRTUAL_ENV",
                        "CARGO_HOME",
                        "https_proxy",
                        "LC_TIME");
        List<String> others =
                List.of("STRIPE", "DB_URL", "SSH_AUTH_SOCK", "GITHUB_ENV", "GIT_CONFIG_VALUE_0");
        tools.forEach(name -> parent.put(name, "x"));
        others.forEach(name -> parent.put(name, "x"));
        Map<String, String> child = child(parent, List.of("DB_URL"));
        tools.forEach(name -> assertEquals("x", child.get(name), name));
        assertEquals("x", child.get("DB_URL"));
        others.stream()
                .filter(name -> !name.equals("DB_URL"))
                .forEach(name -> assertFalse(child.containsKey(name), name));
    }

    @Test
    void aNumberThatARuleAboutPasswordsHasIsNoSecret() {
        Map<String, String> parent =
                Map.of("PASSWORD_MIN_LENGTH", "12", "SECRETARY", "bob", "DB_PASSWORD", "1234");
        var child = new ChildEnvironment(parent, List.of(), VariableReach.ALL).variables();
        assertEquals("12", child.get("PASSWORD_MIN_LENGTH"));
        assertEquals("bob", child.get("SECRETARY"));
        assertFalse(child.containsKey("DB_PASSWORD"));
    }

    @Test
    void nothingAsksAPerson() {
        Map<String, String> child = child(Map.of("PAGER", "less"), List.of());
        assertEquals("cat", child.get("PAGER"));
        assertEquals("0", child.get("GIT_TERMINAL_PROMPT"));
        assertEquals("dumb", child.get("TERM"));
        assertEquals("1", child.get("CI"));
        assertEquals("true", child.get("GIT_EDITOR"));
    }

    @Test
    void theSearchPathHoldsAbsoluteFoldersOnly() {
        assertEquals("/bin:/usr/bin", path(".:/bin::node_modules/.bin:/usr/bin:"));
        assertEquals("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", path(""));
    }

    @Test
    @Tag("B12")
    @DisplayName("children get the locale of the user, not that of the launcher")
    void childrenGetTheLocaleOfTheUser() {
        assertEquals("C", locale("C"));
        assertFalse(
                child(Map.of("LC_ALL", "C.UTF-8", "AGENT_ORIG_LC_ALL", ""), List.of())
                        .containsKey("LC_ALL"));
    }

    private static String locale(String original) {
        Map<String, String> parent = Map.of("LC_ALL", "C.UTF-8", "AGENT_ORIG_LC_ALL", original);
        return child(parent, List.of()).get("LC_ALL");
    }

    private static String path(String path) {
        return child(Map.of("PATH", path), List.of()).get("PATH");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bob:hunter2@127.0.0.1:9",
                "https://tok3nvalue@pypi.example.com/simple",
                "https://glpat-aaaaaaaaaaaaaaaaaaaa@gitlab.example.com/x",
                "http://host/@scope:8080 https://u:pw@h",
                "--cfg x ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            })
    @Tag("D32")
    @DisplayName("a key or a user with a password anywhere in a value keeps it back")
    void secretsInside(String value) {
        Map<String, String> child = child(Map.of("HTTP_PROXY", value, "LANG", "C"), List.of());
        assertFalse(child.containsKey("HTTP_PROXY"), value);
        Map<String, String> plain = Map.of("HTTP_PROXY", "http://proxy.example.com:3128/");
        assertTrue(child(plain, List.of()).containsKey("HTTP_PROXY"));
    }

    private static Map<String, String> child(Map<String, String> parent, List<String> passed) {
        return new ChildEnvironment(parent, passed, VariableReach.KNOWN).variables();
    }
}
