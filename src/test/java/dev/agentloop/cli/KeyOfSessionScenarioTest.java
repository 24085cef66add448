package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A journal that somebody else has written cannot say where keys are sent. */
class KeyOfSessionScenarioTest {
    private static Path journal(World world) throws IOException {
        try (Stream<Path> files = Files.walk(world.root())) {
            return files.filter(file -> file.endsWith("journal.jsonl")).findFirst().orElseThrow();
        }
    }

    /** With checksums that are right: who may write the file can count, too. */
    private static void edit(World world, String from, String to) throws IOException {
        Path journal = journal(world);
        StringBuilder edited = new StringBuilder();
        String before = "00000000";
        for (String line : Files.readString(journal).split("\n")) {
            String body = line.substring(0, line.length() - 18).replace(from, to);
            body = body.substring(0, body.length() - 9) + before + "\"";
            CRC32C sum = new CRC32C();
            sum.update(body.getBytes(StandardCharsets.UTF_8));
            before = "%08x".formatted(sum.getValue());
            edited.append(body).append(",\"crc\":\"").append(before).append("\"}\n");
        }
        Files.writeString(journal, edited);
    }

    @Test
    @DisplayName("the key of a named server does not go to another one that the journal names")
    void otherServer() throws Exception {
        try (var named = ScriptedServer.chat(says("One."));
                var hostile = ScriptedServer.chat(says("Two."));
                var world = World.with(named).env("NAMED_KEY", "sk-named-8d2")) {
            String url = named.baseUrl();
            String[] first = {"--base-url=" + url, "--api-key-env=NAMED_KEY", "one"};
            assertEquals(0, world.runInside(first).exitCode());
            edit(world, url, hostile.baseUrl());

            Ended refused = world.inside("resume", "--last", "--json", "two");

            assertEquals(3, refused.exitCode(), refused::toString);
            assertTrue(refused.errorMessage().contains(hostile.baseUrl()), refused::toString);
            assertTrue(refused.errorMessage().contains("--base-url"), refused::toString);
            assertEquals(0, hostile.requests().size());
            String[] half = {"resume", "--last", "--api-key-env=NAMED_KEY", "two"};
            assertEquals(3, world.inside(half).exitCode());
            assertEquals(0, hostile.requests().size());

            String[] said = {
                "resume",
                "--last",
                "--base-url=" + hostile.baseUrl(),
                "--api-key-env=NAMED_KEY",
                "two"
            };
            assertEquals(0, world.inside(said).exitCode());
            assertEquals(1, hostile.requests().size());
        }
    }

    @Test
    @DisplayName("a journal cannot choose another variable for a server that the person names")
    void otherVariable() throws Exception {
        try (var named = ScriptedServer.chat(says("One."));
                var world =
                        World.with(named)
                                .env("NAMED_KEY", "sk-named-8d2")
                                .env("OTHER_KEY", "sk-other-51c")) {
            String url = "--base-url=" + named.baseUrl();
            assertEquals(0, world.runInside(url, "--api-key-env=NAMED_KEY", "one").exitCode());
            edit(world, "NAMED_KEY", "OTHER_KEY");

            Ended refused = world.inside("resume", "--last", url, "--json", "two");

            assertEquals(3, refused.exitCode(), refused::toString);
            assertTrue(refused.errorMessage().contains("OTHER_KEY"), refused::toString);
            assertEquals(1, named.requests().size());
        }
    }

    @Test
    @DisplayName(
            "a provider's own key does not go to a server of the journal, not even on this machine")
    void keyOfTheProvider() throws Exception {
        try (var model = ScriptedServer.chat(says("One."));
                var hostile = ScriptedServer.chat();
                var world = World.with(model).env("OPENAI_API_KEY", "sk-openai-77f")) {
            String[] first = {
                "--base-url=" + model.baseUrl(), "--api-key-env=CANARY_API_KEY", "one"
            };
            assertEquals(0, world.runInside(first).exitCode());
            edit(world, model.baseUrl(), hostile.baseUrl());
            edit(world, "CANARY_API_KEY", "");
            edit(world, "canary/model", "openai/gpt-5.5");

            Ended refused = world.inside("resume", "--last", "--json", "two");

            assertEquals(3, refused.exitCode(), refused::toString);
            assertTrue(refused.errorMessage().contains("OPENAI_API_KEY"), refused::toString);
            assertEquals(0, hostile.requests().size());
        }
    }

    @Test
    @DisplayName("where no key is sent, a session goes on at the server that it names")
    void withoutKey() throws Exception {
        try (var model = ScriptedServer.chat(says("One."), says("Two."));
                var world = World.withoutModel()) {
            String[] first = {"run", "-m", "own/model", "--base-url=" + model.baseUrl(), "one"};
            assertEquals(0, world.inside(first).exitCode());
            Files.deleteIfExists(world.root().resolve("state/agent/trust/key-hosts.json"));

            assertEquals(0, world.inside("resume", "--last", "two").exitCode());
        }
    }
}
