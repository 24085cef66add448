package dev.agentloop.cli;

import dev.agentloop.config.ConfigException;
import dev.agentloop.output.SafeText;
import dev.agentloop.session.SessionException;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent context --explain}: what the next request would hold, without sending it. */
final class ContextCommand implements Command {
    private static final String EXPLAIN = "--explain";
    private static final String AS = "--as";

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "context",
                        "Explain the next request, send nothing: every part with source, bytes and"
                                + " tokens, and with --session what is new in it.");
        spec.addOption(Specs.flag("List the parts of the next request.", EXPLAIN));
        RunOption.addTo(spec);
        spec.addOption(
                Specs.value(
                        "USE",
                        "Explain as in: trusted-terminal, terminal, unattended,"
                                + " trusted-unattended.",
                        AS));
        spec.addPositional(Specs.words("PROMPT", "The next task, if there is one."));
        return spec;
    }

    @Override
    public OptionalInt refuse(String problem, List<String> words, Invocation invocation)
            throws IOException {
        boolean json = OutputFormat.ofBroken(words) == OutputFormat.JSON;
        return ModelProblem.refusal(problem, json, invocation);
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        OutputWishes wishes = OutputWishes.of(arguments);
        boolean json = wishes.format() == OutputFormat.JSON;
        try {
            wishes.check();
            if (!Specs.has(arguments, EXPLAIN)) {
                throw new UsageException("write agent context --explain.");
            }
            if (wishes.format() == OutputFormat.STREAM_JSON) {
                throw new UsageException("agent context prints one object: --output-format json.");
            }
            ContextReport report =
                    ContextTrial.report(arguments, invocation, Specs.text(arguments, AS));
            invocation.streams().print(json ? report.json() : report.text());
            return ExitCode.SUCCESS.code();
        } catch (UsageException e) {
            return ModelProblem.of(e).report(invocation.streams(), json);
        } catch (ConfigException e) {
            return ModelProblem.of(e).report(invocation.streams(), json);
        } catch (SessionException e) {
            String problem = SafeText.block(String.valueOf(e.getMessage()));
            return ModelProblem.of(new UsageException(problem)).report(invocation.streams(), json);
        }
    }
}
