package dev.agentloop.cli;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The cassette {@code run.cassette} beside the workspace of a test. */
public final class Tapes {
    public static final String FILE = "../run.cassette";

    private Tapes() {}

    public static Ended record(World world, String... more) {
        return world.runInside(live("--record", more));
    }

    static Ended replay(World world, String... more) {
        List<String> all = new ArrayList<>(List.of("--output-format=stream-json"));
        all.addAll(List.of("--replay", FILE));
        all.addAll(List.of(more));
        return world.runInside(all.toArray(String[]::new));
    }

    /** With tools, hooks and policy of the machine. */
    static Ended replayModel(World world, String... more) {
        return world.runInside(live("--replay-model", more));
    }

    private static String[] live(String option, String... more) {
        List<String> all =
                new ArrayList<>(List.of("--output-format=stream-json", "--yolo", "--sandbox=off"));
        all.addAll(List.of(option, FILE));
        all.addAll(Arrays.asList(more));
        return all.toArray(String[]::new);
    }

    /** From here on nobody listens at the model's address. */
    static void cut(ScriptedServer model) {
        model.close();
    }

    static Path file(World world) {
        return world.root().resolve("run.cassette");
    }

    static String text(World world) {
        return read(file(world));
    }

    static String mode(World world) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file(world)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void move(World from, World to) {
        write(to, text(from));
    }

    static void write(World world, String text) {
        try {
            Files.writeString(file(world), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code s/(what stays before)pattern/by/} in the first line it fits, {@code d/pattern/}. */
    static void edit(World world, String edit) {
        String[] parts = edit.split("/", -1);
        boolean deletes = parts[0].equals("d");
        Pattern pattern = Pattern.compile(parts[1].replace("\\\"", "\""));
        List<String> lines = new ArrayList<>(text(world).lines().toList());
        for (int i = 0; i < lines.size(); i++) {
            Matcher found = pattern.matcher(lines.get(i));
            if (found.find()) {
                String by = deletes ? "" : Matcher.quoteReplacement(parts[2]);
                if (deletes) {
                    lines.remove(i);
                } else {
                    lines.set(i, found.replaceFirst(found.groupCount() > 0 ? "$1" + by : by));
                }
                write(world, String.join("\n", lines) + "\n");
                return;
            }
        }
        throw new AssertionError("nothing fits " + edit + " in\n" + text(world));
    }

    /** All files below a folder with their contents. */
    static Map<String, String> files(Path folder) {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(Files::isRegularFile)
                    .forEach(file -> files.put(folder.relativize(file).toString(), read(file)));
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The stream of events without what docs/replay.md says differs. */
    static List<String> stream(Ended ended) {
        return ended.out()
                .lines()
                .map(line -> line.replaceAll("\"ts\":\"[^\"]*\"", "\"ts\":\"\""))
                .map(line -> line.replaceAll(",\"journal\":\"[^\"]*\"", ""))
                .map(line -> line.replaceAll(",\"cassette\":\"[^\"]*\"(,\"replay\":\"run\")?", ""))
                .toList();
    }
}
