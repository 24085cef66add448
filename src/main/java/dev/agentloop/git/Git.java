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
 * The git of this machine. This package is the only one that starts it, and what it starts runs no
 * program that a repository names: questions are asked through a {@link PrivateGitFolder}, whose
 * settings are ours. The few commands that need the repository's own settings read them and nothing
 * else.
 *
 * @param patience how long one question may take
 */
public record Git(
        Path program, ProcessRunner runner, Duration patience, Cancellation cancellation) {

    /** For the commands that read a repository's own settings; the others know none. */
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
                    "gc.auto=0",
                    "-c",
                    "maintenance.auto=false",
                    "-c",
                    "submodule.recurse=false",
                    "-c",
                    "core.warnAmbiguousRefs=true",
                    "-c",
                    "core.quotePath=false");

    private static final int FAILED = 128; // how git ends when it cannot do its work

    private static final Map<String, String> SAFE =
            Map.of(
                    "LC_ALL", "C", // what git says is looked through
                    "GIT_OPTIONAL_LOCKS", "0",
                    "GIT_NO_REPLACE_OBJECTS", "1", // what a name says is what is read
                    "GIT_LITERAL_PATHSPECS", "1",
                    "GIT_NO_LAZY_FETCH", "1", // of a partial clone
                    "GIT_ALLOW_PROTOCOL", "none"); // the same, for git before 2.44

    /** Gives a program files as its input and output, so that data stay the bytes that they are. */
    private static final List<String> WITH_FILES =
            List.of("/bin/sh", "-c", "in=$1 out=$2; shift 2; exec \"$@\" <\"$in\" >\"$out\"", "sh");

    /**
     * What git said.
     *
     * @param text its standard output as it is
     * @param trouble its standard error
     * @param complete whether it ended by itself, with success, and nothing of the text is missing
     */
    public record Answer(int exitCode, String text, String trouble, boolean complete) {
        /** The text of a complete answer. */
        String required(String what) throws IOException {
            if (!complete) {
                String why = trouble.lines().findFirst().orElse("it has not answered in time");
                throw new IOException(what + ": " + why);
            }
            return text;
        }
    }

    /** Where a question is asked, with which variables, and which files it reads and writes. */
    record Asking(Path folder, Map<String, String> variables, Path input, Path output) {
        static final Path NOTHING = Path.of("/dev/null");

        Asking(Path folder, Map<String, String> variables) {
            this(folder, variables, NOTHING, NOTHING);
        }

        boolean hasFiles() {
            return !input.equals(NOTHING) || !output.equals(NOTHING);
        }
    }

    /**
     * The one on the PATH, but none of the workspace.
     *
     * @param patience how long one question may take
     */
    public static Optional<Git> find(
            ProcessRunner runner, Path workspace, Duration patience, Cancellation cancellation) {
        return runner.environment()
                .program("git", workspace)
                .map(program -> new Git(program, runner, patience, cancellation));
    }

    /** The same, started by another runner. */
    Git through(ProcessRunner other, Cancellation cause) {
        return new Git(program, other, patience, cause);
    }

    /**
     * The repository that a folder is in the work tree of. Git follows links and files that name
     * other folders itself, and reads no more than settings for it.
     *
     * @throws IOException if there is none, in git's words
     */
    public GitPlace place(Path folder) throws IOException {
        List<String> words =
                List.of(
                        "rev-parse",
                        "--is-inside-work-tree",
                        "--show-toplevel",
                        "--absolute-git-dir",
                        "--git-common-dir");
        Answer answer = ask(new Asking(folder, Map.of()), words);
        List<String> lines = answer.required("git").lines().toList();
        if (lines.size() != 4) {
            throw new IOException("the path of the repository of " + folder + " has line ends");
        }
        Path common = folder.resolve(lines.get(3)); // relative to the folder in most versions
        return new GitPlace(
                Path.of(lines.get(1)).toRealPath(),
                Path.of(lines.get(2)).toRealPath(),
                common.toRealPath());
    }

    /** Whether git finds no repository for a folder, so that it will do nothing there. */
    public boolean hasNone(Path folder) throws IOException {
        Answer found = ask(new Asking(folder, Map.of()), List.of("rev-parse", "--git-dir"));
        return found.exitCode() == FAILED;
    }

    /**
     * Asks with the variables given. The outputs of a question with an output file are in that.
     *
     * @throws IOException if git cannot be started
     */
    Answer ask(Asking asking, List<String> words) throws IOException {
        List<String> argv = new ArrayList<>();
        if (asking.hasFiles()) {
            argv.addAll(WITH_FILES);
            argv.add(asking.input.toString());
            argv.add(asking.output.toString());
        }
        argv.add(program.toString());
        argv.addAll(WITHOUT_PROGRAMS);
        argv.addAll(words);
        Map<String, String> variables = new HashMap<>(SAFE);
        variables.putAll(asking.variables);
        CommandOutcome outcome =
                runner.run(
                        new CommandRequest(argv, asking.folder, patience, variables)
                                .with(CommandRequest.Reach.TRUSTED)
                                .reading(""), // so that its answer is taken as data
                        cancellation);
        boolean ended = outcome.ending() == CommandOutcome.Ending.EXITED;
        return new Answer(
                outcome.exitCode(),
                outcome.stdout().text(),
                outcome.stderr().text().strip(),
                ended && outcome.exitCode() == 0 && outcome.stdout().leftOut() == 0);
    }
}
