package dev.agentloop.cli.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Paths of images in a task, as they are typed and as terminals paste them. */
class NamedImagesTest {
    @TempDir Path folder;
    private Path home;

    @BeforeEach
    void images() throws IOException {
        home = Files.createDirectories(folder.resolve("home"));
        for (String name : List.of("a.png", "my shot.PNG", "home/b.jpg", "it's.png")) {
            BufferedImage picture = new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB);
            String format = name.endsWith("jpg") ? "jpg" : "png";
            ImageIO.write(picture, format, folder.resolve(name).toFile());
        }
        Files.writeString(folder.resolve("text.png"), "no image");
    }

    private List<String> shown(String task) {
        return NamedImages.in(task, folder, home).stream()
                .filter(image -> image.trouble().isEmpty())
                .map(image -> folder.relativize(image.path()).toString())
                .toList();
    }

    @ParameterizedTest
    @DisplayName("a path is found with @, bare, in quotes, with backslashes, and in the home")
    @CsvSource(
            delimiter = '%',
            quoteCharacter = '|',
            value = {
                "what is on @a.png? % a.png",
                "a.png shows a fault % a.png",
                "compare a.png, and ~/b.jpg. % a.png;home/b.jpg",
                "'my shot.PNG' is odd % my shot.PNG",
                "FOLDER/my\\ shot.PNG what is it % my shot.PNG",
                "\"it's.png\" again a.png a.png % it's.png;a.png",
                "see none.png, text.png, xa.png and http://h/a.png %",
            })
    void found(String task, String names) {
        assertEquals(
                names == null ? List.of() : List.of(names.split(";")),
                shown(task.replace("FOLDER", folder.toString())));
    }

    @Test
    @DisplayName("one that no model can be shown is named with the reason")
    void trouble() throws IOException {
        Files.write(folder.resolve("cut.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n'});
        assertEquals(
                "damaged or cut off",
                NamedImages.in("see cut.png", folder, home).getFirst().trouble());
        byte[] large = Files.readAllBytes(folder.resolve("a.png"));
        Files.write(folder.resolve("large.png"), Arrays.copyOf(large, 6 << 20));
        assertEquals(
                "larger than 5 MB",
                NamedImages.in("see large.png", folder, home).getFirst().trouble());
        assertTrue(shown("see large.png").isEmpty());
    }

    @Test
    @DisplayName("a text of any size is read at once")
    void longText() {
        assertEquals(List.of(), shown("'".repeat(50_000) + "a.pn ".repeat(50_000)));
    }
}
