package dev.agentloop.sandbox.git.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What git would write for submodules, told to a command that cannot write it. */
class SubmoduleSettingsTest {
    @TempDir Path temp;

    private Path workspace;

    @BeforeEach
    void repository() throws IOException {
        workspace = temp.toRealPath();
        Files.createDirectory(workspace.resolve(".git"));
    }

    private Map<String, String> variables(String modules, String config) throws IOException {
        Files.writeString(workspace.resolve(".gitmodules"), modules);
        Files.writeString(workspace.resolve(".git/config"), config);
        return SubmoduleSettings.variables(workspace, workspace.resolve(".git"));
    }

    private static String module(String name, String url) {
        return "[submodule \"" + name + "\"]\n\tpath = p\n\turl = " + url + "\n";
    }

    private static String remote(String name, String url) {
        return "[remote \"" + name + "\"]\n\turl = " + url + "\n";
    }

    @Test
    @DisplayName("address and way of updating of those that are not registered yet")
    void unregistered() throws IOException {
        Map<String, String> variables =
                variables(
                        module("a", "https://x/a")
                                + module("b", "https://x/b")
                                + "update = merge\n",
                        "[submodule \"a\"]\n\turl = https://y/a\n");

        assertEquals(
                Map.of(
                        "GIT_CONFIG_COUNT",
                        "2",
                        "GIT_CONFIG_KEY_0",
                        "submodule.b.url",
                        "GIT_CONFIG_VALUE_0",
                        "https://x/b",
                        "GIT_CONFIG_KEY_1",
                        "submodule.b.update",
                        "GIT_CONFIG_VALUE_1",
                        "merge"),
                variables);
    }

    @Test
    @DisplayName("nothing without submodules, and nothing that could start a program")
    void nothing() throws IOException {
        assertEquals(Map.of(), SubmoduleSettings.variables(workspace, workspace.resolve(".git")));
        assertEquals(Map.of(), variables(module("a", "ext::sh -c evil"), ""));
        assertEquals(Map.of(), variables(module("a", "--upload-pack=evil"), ""));
        assertEquals(Map.of(), variables(module("a", "../b"), remote("origin", "ext::sh /x")));
        assertEquals(
                "1",
                variables(module("a", "https://x") + "update = !evil\n", "")
                        .get("GIT_CONFIG_COUNT"));
    }

    @ParameterizedTest
    @CsvSource({
        "https://h/o/main.git, ../sub.git, https://h/o/sub.git",
        "https://h/o/main/, ./sub, https://h/o/main/sub",
        "git@h:o/main, ../../p/sub, git@h:p/sub",
        "git@h:main, ../sub, git@h:sub",
        "/srv/main, ../lib/../x, /srv/lib/../x",
    })
    @DisplayName("relative addresses begin at the only remote, as git takes them")
    void relative(String remote, String said, String is) throws IOException {
        assertEquals(
                is, variables(module("s", said), remote("up", remote)).get("GIT_CONFIG_VALUE_0"));
    }

    @Test
    @DisplayName("without a remote they begin at the workspace; of several none is guessed")
    void otherRemotes() throws IOException {
        assertEquals(
                workspace + "/sub", variables(module("s", "./sub"), "").get("GIT_CONFIG_VALUE_0"));
        assertEquals(
                Map.of(),
                variables(module("s", "./sub"), remote("a", "/x/y") + remote("b", "/z/y")));
        assertEquals(Map.of(), variables(module("s", "./sub"), remote("a", "../y")));
    }
}
