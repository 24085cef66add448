package dev.agentloop.cli.resume;

import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.RuleConfig;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * What a session that goes on may do: the stricter of what held before and what the files say now.
 * Only the command line can make it looser, because there a person says so for this session.
 */
public final class ResumedPermissions {
    private static final String MASKED = "[redacted:"; // where a secret stood
    private static final Pattern SECRET = Pattern.compile("\\[redacted:[^\\]]*\\]");

    private final UnaryOperator<String> mask;
    private final ParseResult arguments;
    private final @Nullable SavedSession earlier;
    private final JournalRecord.Terms before;
    private final List<String> differences = new ArrayList<>();
    private JournalRecord.Terms now = JournalRecord.Terms.UNKNOWN;

    /**
     * @param earlier the session that goes on; null for a new one
     * @param mask as applied to what the journal keeps
     */
    public ResumedPermissions(
            ParseResult arguments, @Nullable SavedSession earlier, UnaryOperator<String> mask) {
        this.mask = mask;
        this.arguments = arguments;
        this.earlier = earlier;
        this.before = earlier == null ? JournalRecord.Terms.UNKNOWN : earlier.terms();
    }

    /** The configuration under which the session goes on; finds the differences. */
    public AgentConfig hold(AgentConfig config) throws UsageException {
        AgentConfig held =
                before.equals(JournalRecord.Terms.UNKNOWN)
                        ? config
                        : config.restricted(permissions(config.permissions()), sandbox(config));
        now = terms(held);
        return held;
    }

    private AgentConfig.Permissions permissions(AgentConfig.Permissions found)
            throws UsageException {
        List<String> allow = new ArrayList<>();
        Set<String> said = new LinkedHashSet<>(before.allow());
        said.addAll(RunOption.ALLOW.texts(arguments));
        for (String host : RunOption.ALLOW_NET.texts(arguments)) {
            said.add("web_fetch(" + host + ")");
        }
        for (String rule : found.allow()) {
            if (isAmong(rule, said)) {
                allow.add(rule);
            }
            tellNewlyAllowed(rule, said);
        }
        List<RuleConfig> rules = new ArrayList<>();
        for (RuleConfig rule : found.rules()) {
            if (!rule.verdict().equals("allow") || isAmong(rule.rule(), said)) {
                rules.add(rule);
            }
            if (rule.verdict().equals("allow")) {
                tellNewlyAllowed(rule.rule(), said);
            }
        }
        return new AgentConfig.Permissions(
                confirm(found.confirm()),
                allow,
                joined("ask", found.ask(), before.ask(), rules),
                joined("deny", found.deny(), before.deny(), rules),
                rules,
                found.auditLog(),
                added(found.addDirs()));
    }

    private void tellNewlyAllowed(String rule, Set<String> said) {
        if (!isAmong(rule, said)) {
            differences.add(
                    "allow "
                            + rule
                            + " is new; it does not hold in this session (give it as --allow)");
        } else if (!isAmong(rule, before.allow())) {
            differences.add("allow " + rule + " is new");
        }
    }

    /** What one of the two asks about or forbids stays so. */
    private List<String> joined(
            String verdict, List<String> found, List<String> held, List<RuleConfig> rules)
            throws UsageException {
        List<String> all = new ArrayList<>(found);
        List<String> there = ofVerdict(verdict, found, rules);
        for (String rule : held) {
            if (there.stream().noneMatch(it -> it.equals(rule) || mask.apply(it).equals(rule))) {
                if (isSaidAnew(verdict, rule)) {
                    continue;
                }
                refuseMasked(verdict, rule);
                all.add(rule);
                differences.add(verdict + " " + rule + " is gone; it still holds in this session");
            }
        }
        for (String rule : there) {
            if (!isAmong(rule, held)) {
                differences.add(verdict + " " + rule + " is new");
            }
        }
        return all;
    }

    /** What a journal keeps of a rule has no secret any more. */
    private boolean isAmong(String rule, Collection<String> kept) {
        return kept.contains(rule) || kept.contains(mask.apply(rule));
    }

    /** The secret may be another one by now: the person gives the same rule with that. */
    private boolean isSaidAnew(String verdict, String rule) {
        if (!verdict.equals("deny") || !rule.contains(MASKED)) {
            return false;
        }
        Pattern any =
                Pattern.compile(
                        SECRET.splitAsStream(rule)
                                .map(Pattern::quote)
                                .collect(Collectors.joining(".+")));
        return RunOption.DENY.texts(arguments).stream().anyMatch(it -> any.matcher(it).matches());
    }

    /** Without its secret the rule would match nothing, and seem to hold. */
    private static void refuseMasked(String verdict, String rule) throws UsageException {
        if (rule.contains(MASKED)) {
            throw new UsageException(
                    "this session works under the rule "
                            + verdict
                            + " "
                            + rule
                            + ", whose secret was not kept.\n  Give the rule again, as --deny or in"
                            + " the configuration.");
        }
    }

    private static List<String> ofVerdict(
            String verdict, List<String> plain, List<RuleConfig> rules) {
        Stream<String> withReasons =
                rules.stream().filter(it -> it.verdict().equals(verdict)).map(RuleConfig::rule);
        return Stream.concat(plain.stream(), withReasons).toList();
    }

    private AgentConfig.Confirm confirm(AgentConfig.Confirm found) {
        AgentConfig.Confirm held = constant(AgentConfig.Confirm.values(), before.confirm(), found);
        boolean said =
                RunOption.CONFIRM.isGiven(arguments)
                        || RunOption.YOLO.isGiven(arguments)
                        || RunOption.AGENT.isGiven(arguments);
        boolean looser = found.compareTo(held) > 0; // they are listed from strict to loose
        AgentConfig.Confirm chosen = looser && !said ? held : found;
        tell("confirm", before.confirm(), wire(found), wire(chosen), "--confirm");
        return chosen;
    }

    private AgentConfig.Sandbox sandbox(AgentConfig config) {
        AgentConfig.Sandbox found = config.sandbox();
        AgentConfig.SandboxMode held =
                constant(AgentConfig.SandboxMode.values(), before.sandbox(), found.mode());
        boolean looser = strictness(found.mode()) < strictness(held);
        AgentConfig.SandboxMode mode =
                looser && !RunOption.SANDBOX.isGiven(arguments) ? held : found.mode();
        tell("sandbox", before.sandbox(), wire(found.mode()), wire(mode), "--sandbox");
        boolean network =
                found.network() && (before.network() || RunOption.ALLOW_NET.isGiven(arguments));
        tell(
                "network",
                onOff(before.network()),
                onOff(found.network()),
                onOff(network),
                "--allow-net");
        return new AgentConfig.Sandbox(mode, network, writable(found.writable()), found.readable());
    }

    /** The command line gives them anew; those of the configuration hold if they did before. */
    private List<Path> added(List<Path> found) {
        boolean given = RunOption.ADD_DIR.isGiven(arguments);
        List<Path> both = new ArrayList<>();
        for (Path folder : found) {
            if (given || before.added().contains(folder.toString())) {
                both.add(folder);
            } else {
                differences.add(
                        "folder "
                                + folder
                                + " is new; it does not belong to this session (give it as"
                                + " --add-dir)");
            }
        }
        for (String folder : before.added()) {
            if (found.stream().noneMatch(it -> it.toString().equals(folder))) {
                differences.add(
                        "folder " + folder + " is not part of it now (give it as --add-dir)");
            }
        }
        return both;
    }

    /** No option names such folders, so only a session of its own gets new ones. */
    private List<Path> writable(List<Path> found) {
        if (before.writable().isEmpty()) {
            return found;
        }
        List<String> held = before.writable().get();
        List<Path> both = new ArrayList<>();
        for (Path folder : found) {
            if (held.contains(folder.toString())) {
                both.add(folder);
            } else {
                differences.add(
                        "writable folder "
                                + folder
                                + " is new; it does not hold in this session (begin a new one)");
            }
        }
        List<String> now = found.stream().map(Path::toString).toList();
        for (String folder : held) {
            if (!now.contains(folder)) {
                differences.add("writable folder " + folder + " is gone");
            }
        }
        return both;
    }

    private static int strictness(AgentConfig.SandboxMode mode) {
        return switch (mode) {
            case OFF -> 0;
            case AUTO -> 1;
            case BWRAP, LANDLOCK -> 2;
            case REQUIRED -> 3;
        };
    }

    private void tell(String what, String was, String found, String chosen, String option) {
        if (!found.equals(chosen)) {
            differences.add(
                    what
                            + " was "
                            + was
                            + " and would be "
                            + found
                            + "; the stricter holds (say "
                            + option
                            + " to change it)");
        } else if (!was.equals(found)) {
            differences.add(what + " was " + was + ", is " + found);
        }
    }

    private static String onOff(boolean on) {
        return on ? "on" : "off";
    }

    private static String wire(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <T extends Enum<T>> T constant(T[] all, String name, T otherwise) {
        for (T one : all) {
            if (wire(one).equals(name)) {
                return one;
            }
        }
        return otherwise;
    }

    private static JournalRecord.Terms terms(AgentConfig config) {
        AgentConfig.Permissions permissions = config.permissions();
        return new JournalRecord.Terms(
                wire(permissions.confirm()),
                ofVerdict("allow", permissions.allow(), permissions.rules()),
                ofVerdict("ask", permissions.ask(), permissions.rules()),
                ofVerdict("deny", permissions.deny(), permissions.rules()),
                wire(config.sandbox().mode()),
                config.sandbox().network(),
                Optional.of(texts(config.sandbox().writable())),
                texts(permissions.addDirs()),
                List.of());
    }

    private static List<String> texts(List<Path> paths) {
        return paths.stream().map(Path::toString).toList();
    }

    /** What the journal keeps of this run. */
    public JournalRecord.Terms record(List<String> tools) {
        return new JournalRecord.Terms(
                now.confirm(),
                now.allow(),
                now.ask(),
                now.deny(),
                now.sandbox(),
                now.network(),
                now.writable(),
                now.added(),
                tools);
    }

    /**
     * What is not as it was when the session last worked, on one line; empty if all is.
     *
     * @param model that answers now
     * @param workspace root of now
     * @param tools that the model is offered now
     */
    public String changes(String model, String workspace, List<String> tools) {
        if (earlier == null) {
            return "";
        }
        List<String> all = new ArrayList<>();
        changed(all, "model", earlier.summary().model(), mask.apply(model));
        changed(all, "workspace", earlier.summary().workspace(), workspace);
        if (!before.equals(JournalRecord.Terms.UNKNOWN)) {
            all.addAll(differences);
            List<String> kept = tools.stream().map(mask).toList();
            tools(all, "new tools", kept, before.tools());
            tools(all, "tools that are gone", before.tools(), kept);
        }
        return all.isEmpty() ? "" : "since this session last ran: " + String.join("; ", all);
    }

    private static void changed(List<String> all, String what, String was, String is) {
        if (!was.isEmpty() && !was.equals(is)) {
            all.add(what + " was " + was + ", is " + is);
        }
    }

    private static void tools(
            List<String> all, String what, List<String> these, List<String> without) {
        List<String> left = these.stream().filter(tool -> !without.contains(tool)).toList();
        if (!left.isEmpty()) {
            all.add(what + ": " + String.join(", ", left));
        }
    }
}
