package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pictures beside the task. */
@DisplayName("--image")
class ImagesScenarioTest {
    /** One pixel each, as GIF and PNG programs write it; of JPEG and WebP the headers. */
    private static final String PNG =
            "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
                    + "0000000d49444154789c63f8ffff3f0005fe02fea7352b3d0000000049454e44ae426082";

    private static final String GIF = "47494638396101000200800000000000ffffff2c000000000100010000";
    private static final String JPEG =
            "ffd8ffe000104a46494600010100000100010000ffc0000b080003000401011100ffd9";
    private static final String WEBP = "524946461e00000057454250";
    private static final String LOSSY =
            WEBP + "56503820120000003001009d012a0400030000000000" + "00000000";
    private static final String LOSSLESS =
            WEBP + "5650384c120000002f0300800000000000" + "000000000000000000";
    private static final String EXTENDED =
            WEBP + "565038580a00000000000000030000020000" + "0000000000000000";

    private static World with(ScriptedServer model, String name, byte[] bytes) {
        World world = World.with(model);
        try {
            Files.write(world.workspace().resolve(name), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return world;
    }

    @ParameterizedTest
    @CsvSource({
        PNG + ", image/png",
        GIF + ", image/gif",
        JPEG + ", image/jpeg",
        LOSSY + ", image/webp",
        LOSSLESS + ", image/webp",
        EXTENDED + ", image/webp"
    })
    @DisplayName("is known by its bytes, whatever its name")
    void sent(String hex, String type) {
        byte[] image = HexFormat.of().parseHex(hex);
        try (var model = ScriptedServer.chat(says("seen"));
                var world = with(model, "picture", image)) {
            Ended ended = world.runInside("--json", "--image", "picture", "look");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(model.lastRequest().raw().contains("data:" + type + ";base64,"));
            assertEquals("[]", ended.result().path("warnings").toString());
        }
    }

    @ParameterizedTest
    @CsvSource({
        PNG + ", 8",
        PNG + ", 23",
        GIF + ", 9",
        JPEG + ", 4",
        JPEG + ", 24",
        LOSSY + ", 16",
        LOSSLESS + ", 22",
        EXTENDED + ", 25"
    })
    @DisplayName("that ends before its size is told is refused before anything is sent")
    void cut(String hex, int bytes) {
        byte[] image = Arrays.copyOf(HexFormat.of().parseHex(hex), bytes);
        try (var model = ScriptedServer.chat();
                var world = with(model, "half.png", image)) {
            Ended ended = world.runInside("--json", "--image", "half.png", "look");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("--image half.png"), ended::toString);
            assertTrue(ended.errorMessage().contains("damaged or cut off"), ended::toString);
        }
    }

    @Test
    @DisplayName("of a size of nothing is refused")
    void empty() {
        byte[] image = HexFormat.of().parseHex(PNG);
        image[19] = 0;
        try (var model = ScriptedServer.chat();
                var world = with(model, "none.png", image)) {
            Ended ended = world.runInside("--json", "--image", "none.png", "look");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("damaged or cut off"), ended::toString);
        }
    }

    @Test
    @DisplayName("for a model that sees none is told to the person, too")
    void blind() {
        String third =
                """
                # one more provider
                  third:
                    base_url: "%s"
                    models: {model: {capabilities: {images: false}}}
                """;
        try (var model = ScriptedServer.chat(says("blind"));
                var world =
                        with(model, "a.png", HexFormat.of().parseHex(PNG))
                                .config(third.formatted(model.baseUrl()))) {
            Ended ended =
                    world.runInside("--json", "-m", "third/model", "--image", "a.png", "look");
            assertEquals(0, ended.exitCode(), ended::toString);
            String warning = ended.result().at("/warnings/0").asText();
            assertTrue(warning.contains("third/model") && warning.contains("image"), warning);
            assertTrue(ended.err().contains(warning), ended::toString);
        }
    }

    @Test
    @DisplayName("of a result reaches the model, and again in a session that goes on")
    void ofAResult() {
        byte[] image = HexFormat.of().parseHex(PNG);
        String data = "data:image/png;base64," + Base64.getEncoder().encodeToString(image);
        try (var model =
                        ScriptedServer.chat(
                                calls("view_image", "file_path", "a.png"),
                                says("seen"),
                                says("seen again"));
                var world = with(model, "a.png", image)) {
            Ended first = world.runInside("--json", "look");
            assertEquals(0, first.exitCode(), first::toString);
            assertTrue(model.lastRequest().raw().contains(data), model.lastRequest()::raw);
            Ended later = world.inside("resume", "--last", "--json", "again");
            assertEquals(0, later.exitCode(), later::toString);
            assertTrue(model.lastRequest().raw().contains(data), model.lastRequest()::raw);
        }
    }

    @Test
    @DisplayName("of an earlier run is not seen by the model that goes on, and the person is told")
    void blindLater() {
        String third =
                """
                # one more provider
                  third:
                    base_url: "%s"
                    models: {model: {capabilities: {images: false}}}
                """;
        try (var model = ScriptedServer.chat(says("seen"), says("blind"));
                var world =
                        with(model, "a.png", HexFormat.of().parseHex(PNG))
                                .config(third.formatted(model.baseUrl()))) {
            Ended first = world.runInside("--json", "--image", "a.png", "look");
            assertEquals("[]", first.result().path("warnings").toString(), first::toString);
            Ended later = world.inside("resume", "--last", "-m", "third/model", "--json", "again");
            assertEquals(0, later.exitCode(), later::toString);
            String warning = later.result().at("/warnings/0").asText();
            assertTrue(warning.contains("third/model takes no images"), later::toString);
        }
    }
}
