package dev.agentloop.cli;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.ConfigException;
import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.ConfigSources;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.json.Json;
import dev.agentloop.wiring.LocalProbe;
import dev.agentloop.wiring.Reachability;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Looks at everything that a run depends on. Starts no program and executes nothing it finds. */
final class Checkup {
    private final Invocation invocation;
    private final String model;
    private final String baseUrl;
    private final List<Finding> findings = new ArrayList<>();

    Checkup(Invocation invocation, String model, String baseUrl) {
        this.invocation = invocation;
        this.model = model;
        this.baseUrl = baseUrl;
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
        if (!model.isEmpty()) {
            options.put("llm.model", List.of(model));
        }
        if (!baseUrl.isEmpty()) {
            options.put("llm.base_url", List.of(baseUrl));
        }
        try {
            AgentConfig config =
                    ConfigLoader.load(
                                    ConfigSources.of(
                                                    invocation.environment(),
                                                    invocation.home(),
                                                    invocation.currentDirectory())
                                            .withOptions(options))
                            .config();
            add("configuration", State.OK, "valid", "");
            provider(config);
        } catch (ConfigException e) {
            add("configuration", State.BROKEN, String.valueOf(e.getMessage()), "correct it");
        }
    }

    private void provider(AgentConfig config) {
        switch (ModelChoice.of(config, invocation.environment(), new LocalProbe())) {
            case ModelChoice.None(String help) ->
                    add("model", State.BROKEN, "none: no key and no local server", help);
            case ModelChoice.Chosen chosen -> {
                boolean noKey = chosen.lacksKey(invocation.environment());
                add(
                        "model",
                        noKey ? State.BROKEN : State.OK,
                        chosen.model().info().id()
                                + (noKey ? ", key missing" : " (" + chosen.why() + ")"),
                        noKey
                                ? ModelSelection.keyRemedy(chosen) + ", or choose another --model"
                                : "");
                reach(chosen);
            }
        }
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

    private void state() {
        Path sessions = invocation.xdg("XDG_STATE_HOME", ".local/state");
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

    /** This version has no sandbox of its own; what a later one would use is named all the same. */
    private void sandbox() {
        Path bwrap = find("bwrap");
        add(
                "sandbox",
                State.NOTE,
                "none in this version: commands run with your rights"
                        + (bwrap.toString().isEmpty() ? "" : " (bwrap is installed)"),
                "answer the questions with care, or run the agent in a container");
    }

    private void terminal() {
        Streams streams = invocation.streams();
        boolean interactive = streams.isInteractive();
        add(
                "terminal",
                interactive ? State.OK : State.NOTE,
                interactive ? "questions can be asked" : "none: every question is a denial",
                "allow what is needed with --allow, or --yolo --sandbox off");
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
