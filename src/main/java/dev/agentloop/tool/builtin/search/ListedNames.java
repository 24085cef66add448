package dev.agentloop.tool.builtin.search;

import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.search.SearchDeadline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a program of the machine has listed, name by name with a NUL behind each.
 *
 * @param names empty if it has not said, or one of them is not UTF-8: it would be another one for
 *     us
 */
record ListedNames(CommandOutcome outcome, Optional<List<String>> names) {
    private static final Pattern UNREADABLE = // or gone since its folder was read
            Pattern.compile(
                    "(?:Permission denied|No such file or directory)(?: \\(os error \\d+\\))?$");

    private static final long MOST_BYTES =
            128 << 20; // of names; in memory it is several times that
    private static final boolean NAMES_ARE_UTF_8 = // as Java was started
            "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"));

    private static final Map<String, String> PLAIN = Map.of("LC_ALL", "C"); // messages in English

    /** Its output goes to a file: the names of a large tree are more than is kept of a pipe. */
    static Optional<ListedNames> of(
            List<String> program, Path root, ProcessRunner processes, SearchDeadline deadline)
            throws IOException {
        return of(program, root, processes, deadline.left(), deadline);
    }

    /**
     * @param limit after which the program is ended; the search goes on
     */
    static Optional<ListedNames> of(
            List<String> program,
            Path root,
            ProcessRunner processes,
            Duration limit,
            SearchDeadline deadline)
            throws IOException {
        Path out;
        try {
            out = Files.createTempFile("agent-search", ".list");
        } catch (IOException e) {
            return Optional.empty(); // there is no room for its answer: we search ourselves
        }
        try {
            List<String> argv = new ArrayList<>();
            argv.addAll(List.of("/bin/sh", "-c", "exec \"$@\" >\"$0\"", out.toString()));
            argv.addAll(program);
            CommandOutcome outcome =
                    processes.run(
                            new CommandRequest(argv, root, limit, PLAIN)
                                    .with(CommandRequest.Reach.TRUSTED),
                            deadline.cancellation());
            deadline.check();
            boolean told = saysNothingElse(outcome) || outcome.exitCode() == 0;
            Optional<List<String>> names =
                    told && Files.size(out) < MOST_BYTES
                            ? names(Files.readAllBytes(out))
                            : Optional.empty();
            return Optional.of(new ListedNames(outcome, names));
        } finally {
            Files.deleteIfExists(out);
        }
    }

    /** Whether the program has ended by itself without an answer that could be used. */
    boolean hasFailed() {
        return outcome.ending() == CommandOutcome.Ending.EXITED
                && outcome.exitCode() != 0
                && !saysNothingElse(outcome);
    }

    /** Whether it has named nothing and complained: another program than we know by this name. */
    boolean isOfAnother() {
        return names.filter(List::isEmpty).isPresent()
                && outcome.exitCode() != 0
                && !hasOnlyUnreadable(outcome);
    }

    /** 1: find could not read all, or rg found nothing; 2: rg could not read all. */
    private static boolean saysNothingElse(CommandOutcome outcome) {
        return outcome.exitCode() == 1 || outcome.exitCode() == 2 && hasOnlyUnreadable(outcome);
    }

    private static boolean hasOnlyUnreadable(CommandOutcome outcome) {
        String said = outcome.stderr().text();
        return !said.isBlank() && said.lines().allMatch(UNREADABLE.asPredicate());
    }

    /** Whether the program was ended because its time was up. */
    boolean wasTooSlow() {
        return outcome.ending() == CommandOutcome.Ending.TIMED_OUT;
    }

    private static Optional<List<String>> names(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        boolean plain = text.chars().allMatch(c -> c < 128);
        if (text.indexOf('\uFFFD') >= 0 || !plain && !NAMES_ARE_UTF_8) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        for (int from = 0, nul; (nul = text.indexOf('\0', from)) >= 0; from = nul + 1) {
            names.add(text.substring(from, nul));
        }
        return Optional.of(names);
    }
}
