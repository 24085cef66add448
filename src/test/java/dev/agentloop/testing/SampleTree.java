package dev.agentloop.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A tree of files that look like sources, the same for the same seed. */
public final class SampleTree {
    private static final int FILES_IN_FOLDER = 25;
    private static final String[] WORDS = {
        "user",
        "login",
        "order",
        "Service",
        "Repository",
        "get",
        "set",
        "find",
        "id",
        "name",
        "value",
        "list",
        "map",
        "return",
        "public",
        "private",
        "static",
        "int",
        "String",
        "final",
        "class",
        "TODO",
        "import",
        "java.util.List",
        "null",
        "if",
        "else",
        "for",
        "MAX_SIZE",
        "3.14",
        "index"
    };
    private static final String[] SUFFIXES = {"java", "py", "ts", "go", "md", "json", "c", "txt"};

    private SampleTree() {}

    /** Writes {@code files} files, some of them ignored, into folders below {@code root}. */
    public static void write(Path root, int files, long seed) throws IOException {
        Random random = new Random(seed);
        Files.writeString(
                root.resolve(".gitignore"), "*.log\n/out/\nbuild/\n!keep.log\n*.py[co]\n");
        Path folder = root;
        for (int i = 0; i < files; i++) {
            if (i % FILES_IN_FOLDER == 0) {
                folder = folder(root, i / FILES_IN_FOLDER, random);
                Files.createDirectories(folder);
            }
            String suffix = i % 50 == 0 ? "log" : SUFFIXES[random.nextInt(SUFFIXES.length)];
            byte[] text = text(i, random).getBytes(StandardCharsets.UTF_8);
            Files.write(folder.resolve("File" + i + "." + suffix), text);
        }
    }

    private static Path folder(Path root, int number, Random random) {
        String top = number % 20 == 19 ? "build" : "m" + number % 17;
        return root.resolve("src").resolve(top).resolve(WORDS[random.nextInt(10)] + number);
    }

    private static String text(int number, Random random) {
        StringBuilder text = new StringBuilder("class Service").append(number).append(" {\n");
        int lines = 10 + random.nextInt(120);
        for (int line = 0; line < lines; line++) {
            text.append(" ".repeat(4 * random.nextInt(4)));
            for (int word = 0; word < random.nextInt(9); word++) {
                text.append(WORDS[random.nextInt(WORDS.length)]);
                text.append(random.nextInt(4) == 0 ? "(" + number + ");" : " ");
            }
            text.append('\n');
        }
        return text.append(number % 997 == 0 ? "// needle\n}\n" : "}\n").toString();
    }
}
