package dev.agentloop.search;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.SampleTree;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.builtin.search.FindFilesTool;
import dev.agentloop.tool.builtin.search.GrepTool;
import dev.agentloop.tool.builtin.search.SearchCodeTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

/** What {@code scripts/bench-search} runs: see there. Uses public classes of the jar only. */
public final class SearchBench {
    private static final int FILES = 50_000;
    private static final List<String> QUERIES =
            List.of(
                    "needle", // in few files
                    "class Service4999[0-9]\\b", // a text that leads to few lines
                    "(?i)SERVICE123[45]\\b", // ignoring case
                    "login\\(4[0-9]77\\);", // a text that is in nearly every file
                    "[0-9]{7}"); // no text to look for

    private SearchBench() {}

    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]).toRealPath();
        int rounds = Integer.parseInt(args[1]);
        ToolContext context = prepare(root);
        ProcessRunner runner = new ProcessRunner(System.getenv(), List.of());
        GrepTool without = new GrepTool(runner, "");
        GrepTool with = new GrepTool(runner, System.getenv("PATH"));
        System.out.printf(
                "%-24s %7s %9s %9s %7s %7s%n",
                "warm, median of " + rounds, "rg ms", "no rg ms", "with ms", "no rg/", "with/");
        double[][] ratios = new double[2][QUERIES.size()];
        for (int q = 0; q < QUERIES.size(); q++) {
            String query = QUERIES.get(q);
            Callable<?> rg = () -> rg(query, root);
            Callable<?> own = () -> grep(without, query, context);
            Callable<?> both = () -> grep(with, query, context);
            for (Callable<?> once : List.of(rg, own, both)) {
                once.call();
            }
            double[] times = medians(rounds, rg, own, both);
            ratios[0][q] = times[1] / times[0];
            ratios[1][q] = times[2] / times[0];
            System.out.printf(
                    "%-24s %7.0f %9.0f %9.0f %7.2f %7.2f%n",
                    query, times[0], times[1], times[2], ratios[0][q], ratios[1][q]);
        }
        names(root, context, rounds);
        Arrays.sort(ratios[0]);
        Arrays.sort(ratios[1]);
        System.out.printf(
                "median ratio to rg: %.2f without it, %.2f with it; peak memory: %s%n",
                ratios[0][QUERIES.size() / 2], ratios[1][QUERIES.size() / 2], peak());
    }

    /** Names beside find(1) and rg, then code, which nothing else here looks for. */
    private static void names(Path root, ToolContext context, int rounds) throws Exception {
        ProcessRunner runner = new ProcessRunner(System.getenv(), List.of());
        FindFilesTool files = new FindFilesTool(runner, System.getenv("PATH"));
        SearchCodeTool code = new SearchCodeTool(runner, System.getenv("PATH"));
        for (String name : List.of("*.nothing", "M*file", "*.txt")) {
            Callable<?> rg =
                    () -> output(root, "rg", "--no-config", "--hidden", "--files", "-g", name);
            Callable<?> find = () -> output(root, "find", ".", "-name", name);
            Callable<?> own = () -> files.run(new FindFilesTool.Args(name, null), context);
            own.call();
            double[] times = medians(rounds, find, rg, own);
            System.out.printf(
                    "find_files %-13s find %6.0f ms, rg %6.0f ms, ours %6.0f ms: %.2f of rg%n",
                    name, times[0], times[1], times[2], times[2] / times[1]);
        }
        for (String words : List.of("kmalloc", "class Service49990", "struct device", "init")) {
            Callable<?> own = () -> code.run(new SearchCodeTool.Args(words, null, null), context);
            own.call();
            System.out.printf("search_code %-12s %6.0f ms%n", words, medians(rounds, own)[0]);
        }
    }

    private static ToolContext prepare(Path root) throws IOException {
        if (!Files.exists(root.resolve(".git"))) {
            SampleTree.write(root, FILES, 4);
            Files.createDirectories(root.resolve(".git/info"));
            Files.writeString(root.resolve(".git/HEAD"), "ref: refs/heads/main\n");
        }
        return new ToolContext(
                new Workspace(root),
                new Cancellation(),
                new SeenFiles(),
                ToolContext.Barrier.OPEN,
                _ -> {},
                "call_1");
    }

    /** One after the other in each round, so that both have the same machine. */
    private static double[] medians(int rounds, Callable<?>... works) throws Exception {
        double[][] times = new double[works.length][rounds];
        for (int round = 0; round < rounds; round++) {
            for (int w = 0; w < works.length; w++) {
                long start = System.nanoTime();
                works[w].call();
                times[w][round] = (System.nanoTime() - start) / 1e6;
            }
        }
        return Arrays.stream(times)
                .mapToDouble(t -> Arrays.stream(t).sorted().toArray()[t.length / 2])
                .toArray();
    }

    private static String grep(GrepTool tool, String query, ToolContext context) throws Exception {
        var args = new GrepTool.Args(query, null, null, null, null, 1_000);
        return tool.run(args, context).text();
    }

    private static byte[] rg(String query, Path root) throws IOException {
        return output(root, "rg", "--no-config", "--hidden", "-g", "!.git", "-n", query, ".");
    }

    private static byte[] output(Path root, String... program) throws IOException {
        Process process = new ProcessBuilder(program).directory(root.toFile()).start();
        return process.getInputStream().readAllBytes();
    }

    private static String peak() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .findFirst()
                .orElse("")
                .replaceAll("\\s+", " ");
    }
}
