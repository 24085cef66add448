package dev.agentloop.cli.config;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent doctor}: what works on this machine, and what to do about what does not. */
public final class DoctorCommand implements Command {
    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command("doctor", "Check this machine; each trouble comes with a remedy.");
        spec.addOption(
                Specs.value("PROVIDER/MODEL", "Check this model's provider.", "-m", "--model"));
        spec.addOption(Specs.value("URL", "Base URL of the provider's API.", "--base-url"));
        spec.addOption(Specs.value("FILE", "One more configuration file.", "-c", "--config"));
        spec.addOption(
                Specs.optionalValue(
                        "MODE",
                        "Attack the sandbox of commands, to see whether it holds: the one of the"
                                + " configuration, or bwrap or landlock.",
                        "--sandbox"));
        spec.addOption(Specs.flag("One JSON object.", "--json"));
        return spec;
    }

    /** Exit code 0, or 1 when something that every run needs does not work. */
    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        List<Checkup.Finding> findings =
                arguments.hasMatchedOption("--sandbox")
                        ? SandboxReport.findings(arguments, invocation)
                        : new Checkup(arguments, invocation).findings();
        invocation
                .streams()
                .print(
                        Specs.has(arguments, "--json")
                                ? Checkup.json(findings)
                                : Checkup.text(findings));
        boolean broken = findings.stream().anyMatch(f -> f.state() == Checkup.State.BROKEN);
        return broken ? ExitCode.FAILED.code() : ExitCode.SUCCESS.code();
    }
}
