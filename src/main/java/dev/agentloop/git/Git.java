package dev.agentloop.git;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The git of this machine, asked so that nothing of the repository's own runs: no hook, no monitor
 * of files, no filter (after {@link #withoutFilters}), no pager, no transport to another machine.
 * Only commands that read may be asked.
 *
 * @param patience how long one question may take
 */
public record Git(
        String program,
        ProcessRunner runner,
        CommandRequest.Reach reach,
        Duration patience,
        Map<String, String> environment,
        Cancellation cancellation) {

    /** What a repository could name a program by, where an option can forbid it. */
    private static final List<String> WITHOUT_PROGRAMS =
            List.of(
                    "--no-pager",
                    "-c",
                    "core.fsmonitor=false",
                    "-c",
                    "core.hooksPath=/dev/null",
                    "-c",
                    "safe.bareRepository=explicit", // a folder of the work tree may look like one
                    "-c",
                    "log.showSignature=false",
                    "-c",
                    "core.warnAmbiguousRefs=true",
                    "-c",
                    "core.quotePath=false");

    private static final char UNREADABLE =
            '\uFFFD'; // what decoding makes of bytes that are no text

    private static final Map<String, String> SAFE =
            Map.of(
                    "LC_ALL", "C", // what git says is looked through
                    "GIT_OPTIONAL_LOCKS", "0",
                    "GIT_NO_REPLACE_OBJECTS", "1", // what a name says is what is read
                    "GIT_LITERAL_PATHSPECS", "1",
                    "GIT_NO_LAZY_FETCH", "1", // of a partial clone
                    "GIT_ALLOW_PROTOCOL", "none"); // the same, for git before 2.44

    /**
     * What git said.
     *
     * @param text its standard output as it is
     * @param trouble its standard error
     * @param complete whether it ended by itself, with success, and nothing of the text is missing
     */
    public record Answer(int exitCode, String text, String trouble, boolean complete) {}

    /**
     * @param program its path: a name would be looked for in relative folders of PATH, too
     */
    public static Git of(
            String program,
            ProcessRunner runner,
            CommandRequest.Reach reach,
            Duration patience,
            Cancellation cancellation) {
        return new Git(program, runner, reach, patience, SAFE, cancellation);
    }

    /** The same with more variables. */
    public Git with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(more);
        return new Git(program, runner, reach, patience, Map.copyOf(all), cancellation);
    }

    /**
     * Asks in a folder.
     *
     * @throws IOException if git cannot be started
     */
    public Answer ask(Path folder, List<String> words) throws IOException {
        List<String> argv = new ArrayList<>();
        argv.add(program);
        argv.addAll(WITHOUT_PROGRAMS);
        argv.addAll(words);
        CommandOutcome outcome =
                runner.run(
                        new CommandRequest(argv, folder, patience, environment, reach, ""),
                        cancellation);
        boolean ended = outcome.ending() == CommandOutcome.Ending.EXITED;
        return new Answer(
                outcome.exitCode(),
                outcome.stdout().text(),
                outcome.stderr().text().strip(),
                ended && outcome.exitCode() == 0 && outcome.stdout().leftOut() == 0);
    }

    /**
     * The same git with every configured filter switched off: git reads changed files through them,
     * and they are programs of the repository's choice. By variables, because an option could not
     * name a filter with an equals sign in its name. Empty if they could not be found out.
     */
    public Optional<Git> withoutFilters(Path root) throws IOException {
        Answer filters =
                ask(
                        root,
                        List.of("config", "-z", "--name-only", "--get-regexp", "^filter[.].*[.]"));
        boolean none = filters.exitCode() == 1 && filters.text().isEmpty();
        if (!filters.complete() && !none) {
            return Optional.empty();
        }
        if (filters.text().indexOf(UNREADABLE) >= 0) { // its name cannot be given back to git
            return Optional.empty();
        }
        Map<String, String> without = new HashMap<>(environment);
        int count = 0;
        for (String key : filters.text().split("\0")) {
            if (!key.isEmpty()) {
                without.put("GIT_CONFIG_KEY_" + count, key);
                without.put("GIT_CONFIG_VALUE_" + count, key.endsWith(".required") ? "false" : "");
                count++;
            }
        }
        without.put("GIT_CONFIG_COUNT", String.valueOf(count));
        return Optional.of(new Git(program, runner, reach, patience, without, cancellation));
    }
}
