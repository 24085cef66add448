package dev.agentloop.cli.config;

import dev.agentloop.cli.command.AuthException;
import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentConfig.Protocol;
import dev.agentloop.config.catalog.ModelCatalog;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.config.key.Suggestion;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.LlmException;
import dev.agentloop.output.SafeText;
import dev.agentloop.wiring.model.LiveModels;
import dev.agentloop.wiring.model.LocalProbe;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The models of the catalog, of servers on this machine, and of providers that are asked. */
final class ModelList {
    private final Invocation invocation;
    private final AgentConfig config;
    private final ModelCatalog catalog;
    private final String only;
    private final Set<String> described = new HashSet<>();

    /**
     * @param only the one provider to list; empty for all
     */
    ModelList(Invocation invocation, AgentConfig config, String only) throws UsageException {
        this.invocation = invocation;
        this.config = config;
        this.catalog = ModelCatalog.of(config.providers());
        this.only = only;
        if (!only.isEmpty() && catalog.provider(only).isEmpty()) {
            throw new UsageException(
                    "there is no provider \""
                            + SafeText.line(only, 80)
                            + '"'
                            + Suggestion.among(only, catalog.providers())
                            + "\n  Known: "
                            + String.join(", ", catalog.providers())
                            + ".");
        }
        catalog.models().forEach(entry -> described.add(entry.info().id()));
    }

    /** A provider that was asked and did not answer with its models. */
    private record Silent(String provider, CommandProblem problem) {
        Map<String, @Nullable Object> json() {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            object.put("provider", provider);
            object.put("code", problem.code());
            object.put("message", problem.message());
            return object;
        }
    }

    ModelsCommand.Answer answer(boolean live, boolean json) throws AuthException {
        List<ModelRow> rows = new ArrayList<>();
        List<Silent> silent = new ArrayList<>();
        Streams streams = invocation.streams();
        if (live) {
            addLive(rows, silent);
            silent.forEach(
                    one -> one.problem.tell(streams, only.isEmpty() ? one.provider : "agent"));
        } else {
            List<ModelRow> local = local();
            addCatalog(rows, local);
            rows.addAll(local);
            if (rows.isEmpty()) {
                streams.printError("no model of " + only + " is described; --live asks it.\n");
            }
        }
        return new ModelsCommand.Answer(
                json ? json(rows, silent) : lines(rows),
                silent.isEmpty() ? ExitCode.SUCCESS : silent.getFirst().problem.exit());
    }

    private List<ModelCatalog.Provider> providers() {
        return catalog.providers().stream()
                .filter(name -> only.isEmpty() || only.equals(name))
                .map(name -> catalog.provider(name).orElseThrow())
                .toList();
    }

    private void addCatalog(List<ModelRow> rows, List<ModelRow> running) {
        Set<String> shown = new HashSet<>();
        running.forEach(row -> shown.add(row.entry().info().id()));
        for (ModelCatalog.Entry entry : catalog.models()) {
            boolean wanted = only.isEmpty() || entry.info().provider().equals(only);
            if (wanted && !shown.contains(entry.info().id())) {
                rows.add(new ModelRow(entry, ModelRow.Source.CATALOG, true));
            }
        }
    }

    /** What answers at the usual ports of servers that want no key. */
    private List<ModelRow> local() {
        List<ModelRow> rows = new ArrayList<>();
        for (ModelCatalog.Provider provider : providers()) {
            if (!reachable(provider) || provider.apiKeyEnv().isPresent()) {
                continue;
            }
            ModelChoice.Chosen server = chosen(provider);
            if (server.isLocal()) {
                for (String name : new LocalProbe().models(server.baseUrl())) {
                    rows.add(row(provider, name, ModelRow.Source.LOCAL));
                }
            }
        }
        return rows;
    }

    private void addLive(List<ModelRow> rows, List<Silent> silent) throws AuthException {
        boolean asked = false;
        for (ModelCatalog.Provider provider : providers()) {
            try {
                if (!only.isEmpty() || isWorthAsking(provider)) {
                    asked = true;
                    for (String name : names(provider)) {
                        rows.add(row(provider, name, ModelRow.Source.LIVE));
                    }
                }
            } catch (LlmException e) {
                silent.add(new Silent(provider.name(), CommandProblem.of(e)));
            } catch (ConfigException e) {
                silent.add(new Silent(provider.name(), CommandProblem.of(e)));
            } catch (AuthException e) {
                silent.add(new Silent(provider.name(), CommandProblem.of(e)));
            }
        }
        if (!asked && silent.isEmpty()) {
            throw new AuthException("no key of any provider is set; name a PROVIDER to ask.");
        }
    }

    /** Without being named: whoever has a key here, or answers on this machine. */
    private boolean isWorthAsking(ModelCatalog.Provider provider) {
        if (!reachable(provider)) {
            return false;
        }
        ModelChoice.Chosen chosen = chosen(provider);
        if (chosen.apiKeyEnv().isPresent()) {
            return chosen.key(invocation.environment()).isPresent();
        }
        return config.providers().containsKey(provider.name())
                || chosen.isLocal() && !new LocalProbe().models(chosen.baseUrl()).isEmpty();
    }

    private List<String> names(ModelCatalog.Provider provider) throws AuthException {
        if (provider.protocol() == Protocol.EMBEDDED) {
            return List.of("scripted");
        }
        ModelChoice.Chosen chosen = chosen(provider);
        chosen.checkAddress();
        if (chosen.lacksKey(invocation.environment())) {
            throw new AuthException(
                    "there is no key for "
                            + provider.name()
                            + ".\n  Set "
                            + chosen.apiKeyEnv().orElse("")
                            + ".");
        }
        return LiveModels.of(chosen, config.llm(), invocation.environment());
    }

    private static boolean reachable(ModelCatalog.Provider provider) {
        return provider.protocol() != Protocol.EMBEDDED
                && (provider.baseUrl().isPresent() || provider.baseUrlEnv().isPresent());
    }

    private ModelChoice.Chosen chosen(ModelCatalog.Provider provider) {
        return ModelChoice.at(provider, "any", config, invocation.environment());
    }

    private ModelRow row(ModelCatalog.Provider provider, String name, ModelRow.Source source) {
        ModelCatalog.Entry entry = catalog.find(provider.name(), name);
        return new ModelRow(entry, source, described.contains(entry.info().id()));
    }

    private static String lines(List<ModelRow> rows) {
        StringBuilder lines = new StringBuilder();
        rows.forEach(row -> lines.append(row.line()).append('\n'));
        return lines.toString();
    }

    /** When there is nothing to list, the first problem stands in its place. */
    private static String json(List<ModelRow> rows, List<Silent> silent) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        if (rows.isEmpty() && !silent.isEmpty()) {
            object.put("error", silent.getFirst().problem.error());
        } else {
            List<@Nullable Object> models = new ArrayList<>();
            rows.forEach(row -> models.add(row.json()));
            object.put("models", models);
        }
        List<@Nullable Object> problems = new ArrayList<>();
        silent.forEach(one -> problems.add(one.json()));
        object.put("problems", problems);
        return Json.text(new JsonValue(object)::writeTo) + "\n";
    }
}
