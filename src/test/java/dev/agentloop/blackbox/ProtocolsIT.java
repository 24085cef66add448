package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Base64;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What users do, of the real process, whatever their model speaks. */
@Tag("side-by-side")
class ProtocolsIT {
    @ParameterizedTest
    @EnumSource
    @Tag("row-1")
    @Tag("row-24")
    @Tag("row-68")
    @DisplayName("read, edit twice, run, answer, on each protocol")
    void aWholeTask(Protocol protocol) {
        try (var model = WholeTask.model(protocol);
                var world = WholeTask.world(model)) {
            WholeTask.check(world.run(WholeTask.words("--parallel-tools")), world, model);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("an answer that must be JSON of a schema is asked for until it is")
    void answerSchema(Protocol protocol) {
        String schema =
                "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},"
                        + "\"required\":[\"n\"],\"additionalProperties\":false}";
        try (var model = ScriptedServer.start(protocol, says("Seven."), says("{\"n\": 7}"));
                var world = World.with(model)) {
            Ended ended = world.run("--json", "--json-schema", schema, "how many");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(7, ended.result().at("/structured_output/n").asInt());
            Asked asked = model.request(0);
            if (protocol == Protocol.GEMINI) { // takes none beside tools
                assertTrue(asked.answerSchema().isMissingNode(), asked::raw);
            } else {
                assertEquals(Ended.parse(schema), asked.answerSchema());
            }
            assertTrue(model.lastRequest().lastText().contains("it is not JSON"));
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("an image reaches the model byte for byte, and again after it has called a tool")
    void image(Protocol protocol) throws IOException {
        byte[] png = png();
        Reply look = Reply.calls("list_files");
        try (var model = ScriptedServer.start(protocol, look, says("It is red."));
                var world = World.with(model)) {
            Files.write(world.workspace().resolve("red.png"), png);
            Ended ended = world.run("--json", "--image", "red.png", "what colour is it");
            assertEquals(0, ended.exitCode(), ended::toString);
            for (Asked asked : model.requests()) {
                List<Said> seen =
                        asked.said().stream().filter(said -> !said.pictures().isEmpty()).toList();
                assertEquals(1, seen.size(), asked::raw);
                assertTrue(seen.getFirst().text().contains("what colour is it"), asked::raw);
                assertEquals(1, seen.getFirst().pictures().size(), asked::raw);
                Said.Picture picture = seen.getFirst().pictures().getFirst();
                assertEquals("image/png", picture.mediaType());
                assertArrayEquals(png, Base64.getDecoder().decode(picture.base64()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("an image that a tool shows reaches the model byte for byte")
    void imageOfATool(Protocol protocol) throws IOException {
        byte[] png = png();
        Reply look =
                Reply.calls(
                        Reply.call("view_image", "file_path", "red.png"), Reply.call("list_files"));
        try (var model = ScriptedServer.start(protocol, look, says("It is red."));
                var world = World.with(model)) {
            Files.write(world.workspace().resolve("red.png"), png);
            Ended ended = world.run("--json", "what colour is red.png");
            assertEquals(0, ended.exitCode(), ended::toString);
            List<Said.Picture> seen =
                    model.lastRequest().said().stream()
                            .flatMap(said -> said.allPictures().stream())
                            .toList();
            assertEquals(1, seen.size(), model.lastRequest()::raw);
            assertArrayEquals(png, Base64.getDecoder().decode(seen.getFirst().base64()));
        }
    }

    private static byte[] png() throws IOException {
        BufferedImage red = new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB);
        for (int pixel = 0; pixel < 64; pixel++) {
            red.setRGB(pixel % 8, pixel / 8, 0xff0000);
        }
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ImageIO.write(red, "png", png);
        return png.toByteArray();
    }
}
