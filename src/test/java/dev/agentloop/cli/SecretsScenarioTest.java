package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Faults;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A canary in the environment and in files; every byte that comes out is searched for it. */
class SecretsScenarioTest {
    private static final String CANARY = "c4n4ry/v4lue+of&the\"test";
    private static final String TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    private static final String[] YOLO = {"--yolo", "--sandbox=off"};

    private static World canary(ScriptedServer model) {
        return World.with(model)
                .env("DEPLOY_TOKEN", CANARY)
                .env("https_proxy", "http://me:pr0xyp4ss@127.0.0.1:9")
                .file("settings.txt", "DEPLOY=" + CANARY + "\nHUB=" + TOKEN + "\nEND=1\n");
    }

    private static List<String> forms() {
        byte[] bytes = CANARY.getBytes(StandardCharsets.UTF_8);
        List<String> forms = new ArrayList<>();
        forms.add(CANARY);
        forms.add(CANARY.replace("\"", "\\\""));
        forms.add(URLEncoder.encode(CANARY, StandardCharsets.UTF_8));
        forms.add(Base64.getEncoder().encodeToString(bytes).substring(0, 30));
        forms.add(TOKEN);
        forms.add("pr0xyp4ss");
        return forms;
    }

    private static void assertNowhere(World world, Ended ended) {
        assertNot(ended.out(), "stdout");
        assertNot(ended.err(), "stderr");
        try (Stream<Path> files = Files.walk(world.root())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.endsWith("settings.txt") && !file.toString().contains("/blobs/")) {
                    assertNot(
                            new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1),
                            file.toString());
                }
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void assertNot(String text, String where) {
        for (String form : forms()) {
            int at = text.indexOf(form);
            assertTrue(
                    at < 0,
                    () ->
                            form
                                    + " in "
                                    + where
                                    + ": "
                                    + text.substring(
                                            Math.max(0, at - 200),
                                            Math.min(text.length(), at + 60)));
        }
    }

    private static String[] words(String... more) {
        List<String> all = new ArrayList<>(List.of(YOLO));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static ScriptedServer leaky(String... options) {
        String base64 = Base64.getEncoder().encodeToString(CANARY.getBytes(StandardCharsets.UTF_8));
        return ScriptedServer.chat(
                calls("read_file", "file_path", "settings.txt").saying("I know " + CANARY + "!"),
                calls(
                        "run_command",
                        "command",
                        "cat settings.txt; echo " + base64 + "; base64 -w20 settings.txt"),
                calls("run_command", "command", "echo '" + CANARY + "' >&2; exit 3"),
                says("It is " + CANARY + " or " + base64 + " and " + TOKEN + "."));
    }

    @Test
    @Tag("D35")
    @Tag("D37")
    @DisplayName(
            "no output, log, journal or export has a secret that the model echoes or a"
                    + " command prints")
    void nowhere() throws Exception {
        for (String format : List.of("-vv", "--json", "--output-format=stream-json", "--quiet")) {
            try (var model = leaky();
                    var world = canary(model)) {
                Ended ended =
                        world.runInside(
                                words(format, "--log-file", "log.jsonl", "-o", "answer.md", "go"));

                assertEquals(0, ended.exitCode(), ended::toString);
                assertNowhere(world, ended);
                assertNot(String.join("\n", model.lastRequest().toolResults()), "the request");
                assertTrue(
                        world.read("answer.md").startsWith("It is [redacted:DEPLOY_TOKEN] or"),
                        world.read("answer.md"));
                Ended shown = world.inside("sessions", "show", "--last");
                assertNowhere(world, shown);
            }
        }
    }

    @Test
    @Tag("D36")
    @DisplayName("the model sees placeholders, stable over a resume, and edits around them")
    void placeholders() throws Exception {
        var read = calls("read_file", "file_path", "settings.txt");
        try (var model = ScriptedServer.chat(read, says("Read."), read, says("Again."));
                var world = canary(model)) {
            assertEquals(0, world.runInside(words("go")).exitCode());
            assertEquals(
                    0,
                    world.inside("resume", "--last", "again", "--yolo", "--sandbox=off")
                            .exitCode());

            List<String> results = model.lastRequest().toolResults();
            assertEquals(2, results.size());
            assertEquals(results.get(0), results.get(1));
            assertTrue(results.get(0).contains("DEPLOY=[[secret:DEPLOY_TOKEN:"), results::toString);
            assertTrue(results.get(0).contains("HUB=[[secret:GITHUB_TOKEN:"), results::toString);
            assertTrue(results.get(0).contains("END=1"), results::toString);
        }
    }

    @Test
    @Tag("D36")
    @DisplayName("who wants the model to see secrets says so, but no project may")
    void switchedOff() {
        var read = calls("read_file", "file_path", "settings.txt");
        try (var model = ScriptedServer.chat(read, says("Read."));
                var world = canary(model).config("secrets: {redact_to_model: false}")) {
            Ended ended = world.runInside(words("--output-format=stream-json", "go"));
            assertEquals(0, ended.exitCode());
            assertTrue(model.lastRequest().toolResults().getFirst().contains(TOKEN));
            assertNowhere(world, ended);
        }
        try (var model = ScriptedServer.chat(read, says("Read."));
                var world =
                        canary(model)
                                .file(".agent/config.yaml", "secrets: {redact_to_model: false}")) {
            Ended ended = world.runInside(words("--trust", "go"));
            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(model.lastRequest().toolResults().getFirst().contains(TOKEN));
            assertTrue(ended.err().contains("secrets.redact_to_model"), ended::toString);
        }
    }

    @Test
    @Tag("D35")
    @DisplayName("an error body of the provider that repeats secrets does not spread them")
    void errorBody() {
        String body =
                "{\"error\":{\"message\":\"bad "
                        + TOKEN
                        + " "
                        + CANARY.replace("\"", "\\\"")
                        + "\"}}";
        try (var model =
                        ScriptedServer.chat(
                                Faults.status(400, "Content-Type: application/json", body));
                var world = canary(model)) {
            Ended ended = world.runInside(words("-vv", "--json", "--log-file", "log.jsonl", "go"));
            assertEquals(1, ended.exitCode(), ended::toString);
            assertTrue(ended.out().contains("[redacted:GITHUB_TOKEN]"), ended::toString);
            assertNowhere(world, ended);
        }
    }

    @Test
    @Tag("D35")
    @DisplayName("what the user says goes to the model as it is, and is masked on record")
    void usersWords() {
        try (var model = ScriptedServer.chat(says("Yes."));
                var world = canary(model)) {
            Ended ended = world.runInside(words("is " + TOKEN + " valid?"));
            assertEquals("is " + TOKEN + " valid?", model.lastRequest().lastTask());
            assertNowhere(world, ended);
        }
    }

    @Test
    @Tag("D82")
    @DisplayName("no text of the model forges a line of the log, or is looked up in one")
    void logInjection() {
        String evil = "x\n12:00:00.000 INFO  forged line ${jndi:ldap://127.0.0.1:9/a} %msg %d {}";
        try (var model =
                        ScriptedServer.chat(
                                calls("read_file", "file_path", evil).saying(evil), says("Done."));
                var world = World.with(model)) {
            Ended ended = world.runInside(words("-vv", "--json", "--log-file", "log.jsonl", "go"));
            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(
                    ended.err()
                            .lines()
                            .anyMatch(line -> line.startsWith("12:00:00.000 INFO  forged")),
                    ended::toString);
            assertTrue(ended.err().contains("\\n12:00:00.000 INFO  forged line ${j"), ended::err);
            assertTrue(
                    world.read("log.jsonl").lines().allMatch(line -> line.startsWith("{\"ts\"")),
                    () -> world.read("log.jsonl"));
        }
    }
}
