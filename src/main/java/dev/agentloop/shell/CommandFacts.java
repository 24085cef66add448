package dev.agentloop.shell;

import java.nio.file.Path;
import java.util.List;

/**
 * What a command line is known to do. The lists hold what was recognised, also of a line that is
 * not clear: that a list is empty proves nothing then.
 *
 * @param readOnly proven: each program is known to read only with these options, and no redirection
 *     writes to anything but {@code /dev/null}
 * @param readOnlyIfTrusted the same, but git's reading commands count too; they start the programs
 *     that the configuration of the repository names, so the repository has to be trusted
 * @param dangers what would destroy things
 * @param publishes commands that send work to others: {@code git push}, {@code npm publish}
 * @param outside absolute paths outside the workspace that words or redirections name
 * @param writes absolute paths that redirections and known programs write, create or delete; a
 *     folder stands for what is in it
 * @param reads absolute paths that known programs read; a folder stands for what is in it
 * @param searched of {@code reads} those that programs look into if they are folders, and print
 *     from the files there
 * @param wantsNetwork some program is known to need a network; only a hint
 */
public record CommandFacts(
        ShellReading reading,
        boolean readOnly,
        boolean readOnlyIfTrusted,
        List<Danger> dangers,
        List<String> publishes,
        List<Path> outside,
        List<Path> writes,
        List<Path> reads,
        List<Path> searched,
        boolean wantsNetwork) {}
