package dev.agentloop.sandbox.git;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GitLinksTest {
    @TempDir Path root;

    @ParameterizedTest
    @Tag("D49")
    @DisplayName("submodules are read from every form of the index that git writes")
    @CsvSource({"2, sha1", "3, sha1", "4, sha1", "2, sha256", "4, sha256"})
    void allVersions(int version, String format) throws Exception {
        git("init", "-q", "--object-format=" + format, ".");
        git("config", "index.version", "" + version);
        git("config", "index.skipHash", "false");
        Random random = new Random(version);
        List<String> lines = new ArrayList<>();
        Set<Path> links = new LinkedHashSet<>();
        String blob = "1".repeat(format.equals("sha1") ? 40 : 64);
        for (int i = 0; i < 300; i++) {
            String name =
                    "d" + random.nextInt(20) + "/" + "x".repeat(random.nextInt(60)) + "\u00e4" + i;
            boolean link = random.nextInt(10) == 0;
            lines.add((link ? "160000 " : "100644 ") + blob + "\t" + name);
            if (link) {
                links.add(root.resolve(name));
            }
        }
        feed(String.join("\n", lines) + "\n", "update-index", "--index-info");
        if (version == 3) {
            git("add", "-N", Files.writeString(root.resolve("later"), "x").toString());
        }

        assertEquals(links, Set.copyOf(new GitLinks().folders(root)));
    }

    @Test
    @Tag("D49")
    @DisplayName("submodules of a split index, and those within submodules")
    void splitAndNested() throws Exception {
        git("init", "-q", ".");
        git("init", "-q", "a/b");
        feed("160000 " + "1".repeat(40) + "\ta/b\n", "update-index", "--index-info");
        git("update-index", "--split-index");
        feed("160000 " + "1".repeat(40) + "\tz\n", "update-index", "--index-info");
        feed("160000 " + "1".repeat(40) + "\tc\n", "-C", "a/b", "update-index", "--index-info");

        assertEquals(
                Set.of(root.resolve("a/b"), root.resolve("z"), root.resolve("a/b/c")),
                new GitLinks().folders(root));
    }

    @Test
    @Tag("D49")
    @DisplayName("an index that is none names nothing")
    void damaged() throws Exception {
        git("init", "-q", ".");
        feed("160000 " + "1".repeat(40) + "\ta\n", "update-index", "--index-info");
        Path index = root.resolve(".git/index");
        byte[] whole = Files.readAllBytes(index);
        Random random = new Random(7);
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = whole.clone();
            for (int j = 0; j < 4; j++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            Files.write(index, Arrays.copyOf(bytes, random.nextInt(bytes.length)));
            new GitLinks().folders(root); // whatever it finds, it comes to an end
        }
    }

    private void git(String... words) throws Exception {
        feed("", words);
    }

    private void feed(String input, String... words) throws IOException, InterruptedException {
        List<String> argv = new ArrayList<>(List.of("git"));
        argv.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(argv).directory(root.toFile());
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        builder.environment().put("HOME", root.toString());
        Process process = builder.redirectErrorStream(true).start();
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), said);
    }
}
