package dev.agentloop.search;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The ripgrep of this machine, asked as an oracle, with git's rules and no others. */
final class Rg {
    /** Name, NUL, number, colon: the name may have a line feed in it. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\./([^\\x00]+)\\x00(\\d+):");

    private Rg() {}

    static boolean isThere() {
        try {
            return new ProcessBuilder("rg", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Files that are not ignored. */
    static TreeSet<String> files(Path root) throws IOException {
        TreeSet<String> files = new TreeSet<>();
        Arrays.stream(run(root, "--files", "--null").split("\0"))
                .forEach(file -> files.add(file.substring("./".length())));
        return files;
    }

    /** Matching lines as {@code path:number}. */
    static TreeSet<String> lines(Path root, String expression) throws IOException {
        String out = run(root, "-n", "--no-heading", "--null", "-e", expression);
        out = out.replaceAll("\\./.*WARNING: stopped searching.*\n", "");
        TreeSet<String> lines = new TreeSet<>();
        ROW.matcher(out).results().forEach(row -> lines.add(row.group(1) + ":" + row.group(2)));
        return lines;
    }

    private static String run(Path root, String... words) throws IOException {
        List<String> argv = new ArrayList<>(List.of("rg", "--no-config", "--hidden"));
        argv.addAll(List.of("--no-ignore-global", "--no-ignore-dot", "--glob", "!.git"));
        argv.addAll(List.of(words));
        argv.add(".");
        Process process = new ProcessBuilder(argv).directory(root.toFile()).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
