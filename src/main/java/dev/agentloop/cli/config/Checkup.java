package dev.agentloop.cli.config;

import dev.agentloop.cli.command.AuthException;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.command.Version;
import dev.agentloop.cli.setup.ModelSelection;
import dev.agentloop.cli.setup.RunPreparation;
import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.cli.workspace.RunSandbox;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.config.source.Origin;
import dev.agentloop.json.Json;
import dev.agentloop.wiring.model.LocalProbe;
import dev.agentloop.wiring.model.Providers;
import dev.agentloop.wiring.model.Reachability;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ParseResult;

/**
 * Looks at everything that a run depends on. Executes nothing it finds but bubblewrap, to see
 * whether that works.
 */
final class Checkup {
    private final ParseResult arguments;
    private final Invocation invocation;
    private final List<Finding> findings = new ArrayList<>();
    private Origin budgetOrigin = Origin.BUILT_IN;

    Checkup(ParseResult arguments, Invocation invocation) {
        this.arguments = arguments;
        this.invocation = invocation;
    }

    /** How well something works; only BROKEN keeps runs from working. */
    enum State {
        OK,
        NOTE,
        BROKEN
    }

    /** One line: what, how it is, and what to do unless it is fine. */
    record Finding(String name, State state, String detail, String remedy) {}

    List<Finding> findings() {
        add("version", State.OK, Version.text() + ", build " + Version.build(), "");
        add(
                "java",
                State.OK,
                System.getProperty("java.runtime.version")
                        + " in "
                        + System.getProperty("java.home"),
                "");
        javaOptions();
        configuration();
        state();
        program("git", "the agent works without it; your project may not", "install git");
        program("setsid", "commands then share our session", "install util-linux");
        sandbox();
        terminal();
        locale();
        return findings;
    }

    static String text(List<Finding> findings) {
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            String state = finding.state().name().toLowerCase(Locale.ROOT);
            text.append(state).append(" ".repeat(8 - state.length()));
            text.append(finding.name()).append(": ").append(finding.detail()).append('\n');
            if (finding.state() != State.OK && !finding.remedy().isEmpty()) {
                text.append("        -> ").append(finding.remedy()).append('\n');
            }
        }
        return text.toString();
    }

    static String json(List<Finding> findings) {
        byte[] json =
                Json.bytes(out -> {
                    out.writeStartObject();
                    out.writeArrayFieldStart("checks");
                    for (Finding finding : findings) {
                        out.writeStartObject();
                        out.writeStringField("name", finding.name());
                        out.writeStringField(
                                "state", finding.state().name().toLowerCase(Locale.ROOT));
                        out.writeStringField("detail", Json.wellFormed(finding.detail()));
                        out.writeStringField("remedy", finding.remedy());
                        out.writeEndObject();
                    }
                    out.writeEndArray();
                    out.writeEndObject();
                });
        return new String(json, StandardCharsets.UTF_8) + "\n";
    }

    private void add(String name, State state, String detail, String remedy) {
        findings.add(new Finding(name, state, detail, remedy));
    }

    private void javaOptions() {
        for (String name : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")) {
            if (!invocation.variable(name).isEmpty()) {
                add(
                        name,
                        State.NOTE,
                        "is set: every Java program prints a line about it",
                        "unset it unless you need it; commands of the agent do not see it");
            }
        }
    }

    private void configuration() {
        Map<String, List<String>> options = new LinkedHashMap<>();
        put(options, "llm.model", "--model");
        put(options, "llm.base_url", "--base-url");
        LoadedConfig loaded;
        try {
            loaded = ModelsCommand.load(invocation, arguments, options);
            RunPreparation.checkRules(loaded.config(), loaded);
        } catch (ConfigException e) {
            add("configuration", State.BROKEN, String.valueOf(e.getMessage()), "correct it");
            return;
        }
        add("configuration", State.OK, "valid", "");
        budgetOrigin = loaded.origin("limits.budget");
        model(loaded.forAgent(RunPreparation.USUAL_AGENT));
    }

    private void put(Map<String, List<String>> options, String key, String option) {
        String text = Specs.text(arguments, option);
        if (!text.isEmpty()) {
            options.put(key, List.of(text));
        }
    }

    private void model(AgentConfig config) {
        try {
            switch (ModelChoice.of(config, invocation.environment(), new LocalProbe())) {
                case ModelChoice.None(String help) ->
                        add("model", State.BROKEN, "none: no key and no local server", help);
                case ModelChoice.Chosen chosen -> provider(config, chosen);
            }
        } catch (ConfigException e) {
            broken("model", e);
        }
    }

    private void provider(AgentConfig config, ModelChoice.Chosen chosen) {
        boolean noKey = chosen.lacksKey(invocation.environment());
        add(
                "model",
                noKey ? State.BROKEN : State.OK,
                chosen.model().info().id() + (noKey ? ", key missing" : " (" + chosen.why() + ")"),
                noKey ? ModelSelection.keyRemedy(chosen) + ", or choose another --model" : "");
        try {
            chosen.checkAddress();
            reach(chosen);
        } catch (ConfigException e) {
            broken("provider", e);
        }
        certificates(config, chosen);
        fallbacks(config, chosen);
    }

    private void reach(ModelChoice.Chosen chosen) {
        if (chosen.protocol() == AgentConfig.Protocol.EMBEDDED) {
            add("provider", State.OK, "embedded, needs no network", "");
            return;
        }
        String trouble = Reachability.trouble(chosen.baseUrl(), invocation.environment());
        add(
                "provider",
                trouble.isEmpty() ? State.OK : State.BROKEN,
                chosen.baseUrl() + (trouble.isEmpty() ? " answers" : ": " + trouble),
                "check the network, the proxy variables and --base-url");
    }

    /** Whether a run could read whom it is to trust; the server is not asked for its own. */
    private void certificates(AgentConfig config, ModelChoice.Chosen chosen) {
        if (!Providers.speaksTls(chosen)) {
            return;
        }
        try {
            Providers.checkAuthorities(chosen, config.llm(), invocation.environment());
            String more =
                    (invocation.variable("SSL_CERT_FILE").isBlank() ? "" : " and SSL_CERT_FILE")
                            + (config.llm().caFile().isEmpty() ? "" : " and llm.ca_file");
            add("certificates", State.OK, "CAs of this Java installation" + more, "");
        } catch (ConfigException e) {
            broken("certificates", e);
        }
    }

    /** What else about models would keep a run from beginning. */
    private void fallbacks(AgentConfig config, ModelChoice.Chosen first) {
        String name = "fallbacks";
        try {
            List<ModelChoice.Chosen> models =
                    new ModelSelection(invocation.environment()).withFallbacks(config, first);
            if (models.size() > 1) {
                add(name, State.OK, String.join(", ", config.llm().fallbackModels()), "");
            }
            name = "budget";
            ModelSelection.checkBudget(config, models, budgetOrigin);
        } catch (ConfigException e) {
            broken(name, e);
        } catch (AuthException | UsageException e) {
            String[] said = String.valueOf(e.getMessage()).split("\n  ", 2); // what, what to do
            add(name, State.BROKEN, said[0], said.length > 1 ? said[1] : "choose another one");
        }
    }

    private void broken(String name, ConfigException e) {
        ConfigException.Problem problem = e.problems().getFirst();
        String key = problem.key().isEmpty() ? "" : problem.key() + ": ";
        add(name, State.BROKEN, key + problem.problem(), problem.remedy());
    }

    private void state() {
        Path sessions = invocation.state();
        Path existing = sessions;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        boolean writable = Files.isWritable(existing);
        add(
                "sessions",
                writable ? State.OK : State.BROKEN,
                sessions + (writable ? " is writable" : " cannot be written"),
                "make it writable, set XDG_STATE_HOME, or use --no-session");
    }

    private void program(String name, String otherwise, String remedy) {
        Path found = find(name);
        add(
                name,
                found.toString().isEmpty() ? State.NOTE : State.OK,
                found.toString().isEmpty() ? "not found: " + otherwise : found.toString(),
                remedy);
    }

    private void sandbox() {
        findings.add(SandboxReport.sandbox(RunSandbox.strongest(invocation), State.NOTE));
    }

    private void terminal() {
        Streams streams = invocation.streams();
        boolean interactive = streams.isInteractive();
        add(
                "terminal",
                interactive ? State.OK : State.NOTE,
                interactive ? "questions can be asked" : "none: every question is a denial",
                "allow what is needed with --allow, or --yolo");
    }

    private void locale() {
        String charset = System.getProperty("sun.jnu.encoding", "");
        boolean utf8 = charset.equalsIgnoreCase("UTF-8");
        add(
                "locale",
                utf8 ? State.OK : State.BROKEN,
                "file names and arguments are " + charset,
                "start with scripts/agent, or set LC_ALL=C.UTF-8");
    }

    /** By looking into the folders of PATH; relative ones never count. */
    private Path find(String name) {
        for (String folder : invocation.variable("PATH").split(File.pathSeparator, -1)) {
            if (folder.startsWith("/") && Files.isExecutable(Path.of(folder, name))) {
                return Path.of(folder, name);
            }
        }
        return Path.of("");
    }
}
