package dev.agentloop.sandbox.git.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTextTest {
    private static List<String> read(String text) {
        List<String> all = new ArrayList<>();
        ConfigText.read(text.getBytes(StandardCharsets.UTF_8))
                .orElseThrow()
                .forEach(setting -> all.add(setting.toString()));
        return all;
    }

    @Test
    @DisplayName("settings are read in all forms that git takes")
    void forms() {
        assertEquals(List.of("core.hookspath = x"), read("[core]hooksPath=x"));
        assertEquals(List.of("core.a = 1", "user.b = 2"), read("[core] a = 1 # one\n[User]B=2;"));
        assertEquals(
                List.of("remote.o\"]x.url = a b"), read("[remote \"o\\\"]x\"]\nurl = a b  \n"));
        assertEquals(List.of("core.a = xyz "), read("[core]\na = x\\\ny\"z \"\n"));
        assertEquals(List.of("core.a = true"), read("\ufeff[core]\r\n\ta\r\n"));
        assertEquals(List.of("remote.o.url = x"), read("[remote.o]url=x"));
        assertEquals(List.of("core.a = 1", "core.b = 2"), read("[core][core]a=1\n # x\n; y\nb=2"));
    }

    @ParameterizedTest
    @DisplayName("what git may read in another way is not read")
    @ValueSource(
            strings = {
                "[core]\na = 1\0\n",
                "[core\na=1",
                "a = 1\n",
                "[core]\n\f a = 1\n",
                "[core]\ra = 1",
                "[core]\na = \"x\n",
                "[core]\na = \\x\n",
                "[core]\n1a = x\n"
            })
    void doubtful(String text) {
        assertEquals(Optional.empty(), ConfigText.read(text.getBytes(StandardCharsets.UTF_8)));
    }
}
