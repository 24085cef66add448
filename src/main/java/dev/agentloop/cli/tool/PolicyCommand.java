package dev.agentloop.cli.tool;

import dev.agentloop.audit.AuditCheck;
import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.setup.AuditFile;
import dev.agentloop.output.SafeText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent policy explain|test|audit}: the policy's answers without running anything. */
public final class PolicyCommand implements Command {
    private static final String AS = "--as";

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "policy",
                        "Try the permission rules, run nothing: explain 'TOOL(WHAT)' | test [FILE]"
                                + " | audit FILE.");
        RunOption.addTo(spec);
        spec.addOption(
                Specs.value(
                        "USE",
                        "Decide as in: trusted-terminal, terminal, unattended,"
                                + " trusted-unattended.",
                        AS));
        spec.addPositional(Specs.words("explain|test|audit …", "What to do."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> words = Specs.positional(arguments);
        String action = words.isEmpty() ? "" : words.getFirst();
        OutputFormat format = OutputFormat.of(arguments);
        PolicyReport report = new PolicyReport(format != OutputFormat.TEXT);
        PolicyTrial trial =
                new PolicyTrial(arguments, invocation, Specs.text(arguments, AS), report);
        if (action.equals("explain") && words.size() > 1) {
            return trial.explain(String.join(" ", words.subList(1, words.size())));
        }
        return switch (action + words.size()) {
            case "test1" -> trial.test(List.of());
            case "test2" -> trial.test(lines(invocation, words.get(1)));
            case "audit2" -> audit(invocation, report, words.get(1));
            default ->
                    throw new UsageException(
                            "write agent policy explain 'run_command(git push)', agent policy"
                                    + " test [FILE], or agent policy audit FILE.");
        };
    }

    private static List<String> lines(Invocation invocation, String name)
            throws UsageException, IOException {
        return Files.readAllLines(existing(invocation, name), StandardCharsets.UTF_8);
    }

    private static Path existing(Invocation invocation, String name) throws UsageException {
        Path file = invocation.currentDirectory().resolve(name);
        if (!Files.isRegularFile(file)) {
            throw new UsageException(SafeText.line(name) + " is not a file.");
        }
        return file;
    }

    private static int audit(Invocation invocation, PolicyReport report, String name)
            throws UsageException, IOException {
        AuditCheck check = AuditCheck.of(existing(invocation, name), AuditFile.heads(invocation));
        invocation.streams().print(report.audited(check));
        return check.problem().isEmpty() ? ExitCode.SUCCESS.code() : ExitCode.FAILED.code();
    }
}
