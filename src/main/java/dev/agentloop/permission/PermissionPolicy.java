package dev.agentloop.permission;

import dev.agentloop.shell.CommandAnalysis;
import dev.agentloop.shell.ShellReading;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.HostPattern;
import dev.agentloop.tool.SubjectKind;
import dev.agentloop.tool.call.PreparedCall;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Decides about calls. A rule that denies always wins, then the guardrails, then whatever asks or
 * denies in the default policy unless a rule allows it; the order of rules never matters, and of
 * several answers the strictest counts.
 */
public final class PermissionPolicy {
    private static final int MOST_RULES = 8; // of one question
    private static final String UNJUDGED = "cannot-be-judged";
    private static final String SIMPLER = "Write it in a simpler way, or in several calls.";
    static final String NETWORK = "network"; // rules for commands that need it

    private final List<Rule> rules;
    private final ConfirmPreset preset;
    private final Circumstances where;
    private final Guardrails guardrails;
    private final FileScope reach;
    private final StandardPolicy defaults;
    private final @Nullable PermissionPolicy outer;

    /** A policy for an agent that may reach all files that it allows. */
    public PermissionPolicy(
            Collection<Rule> rules,
            ConfirmPreset preset,
            Circumstances where,
            Guardrails guardrails) {
        this(rules, preset, where, guardrails, FileScope.ALL);
    }

    public PermissionPolicy(
            Collection<Rule> rules,
            ConfirmPreset preset,
            Circumstances where,
            Guardrails guardrails,
            FileScope reach) {
        this(rules, preset, where, guardrails, reach, null);
    }

    private PermissionPolicy(
            Collection<Rule> rules,
            ConfirmPreset preset,
            Circumstances where,
            Guardrails guardrails,
            FileScope reach,
            @Nullable PermissionPolicy outer) {
        this.rules = new CopyOnWriteArrayList<>(rules);
        this.preset = preset;
        this.where = where;
        this.guardrails = guardrails;
        this.reach = reach;
        this.defaults = new StandardPolicy(where);
        this.outer = outer;
    }

    /** This policy for one who may never do more than {@code other} allows: the stricter counts. */
    public PermissionPolicy within(PermissionPolicy other) {
        return new PermissionPolicy(rules, preset, where, guardrails, reach, other);
    }

    /** Under what circumstances it decides. */
    public Circumstances circumstances() {
        return where;
    }

    /** Whether calls must run one after another whatever they are. */
    public boolean isSequential() {
        return preset == ConfirmPreset.CONFIRM_ALL || outer != null && outer.isSequential();
    }

    /** From now on these rules allow, too: a person said "always". */
    public void remember(Collection<String> allowed) {
        for (String text : allowed) {
            Rule.parse(text, Verdict.ALLOW).ifPresent(rules::add);
        }
        if (outer != null) {
            outer.remember(allowed);
        }
    }

    /** Of all that the call is about, what is allowed least decides. */
    public Decision decide(PreparedCall.Ready<?> ready) {
        return explain(ready).decision();
    }

    /**
     * A decision and everything that led to it.
     *
     * @param considered what else spoke about the call, as {@code RULE: VERDICT, REASON}
     */
    public record Explanation(Decision decision, List<String> considered) {}

    /** As {@link #decide}, with the reasons. */
    public Explanation explain(PreparedCall.Ready<?> ready) {
        Explanation own = explainSafely(ready);
        if (outer == null) {
            return own;
        }
        Explanation above = outer.explain(ready);
        return own.decision().verdict().compareTo(above.decision().verdict()) >= 0 ? own : above;
    }

    /** What breaks the judgement of one call denies that call, and ends nothing else. */
    private Explanation explainSafely(PreparedCall.Ready<?> ready) {
        String what;
        try {
            return explainAlone(ready);
        } catch (StackOverflowError e) {
            what = "it nests too deeply";
        } catch (OutOfMemoryError e) {
            what = "that takes too much memory";
        } catch (RuntimeException | LinkageError | AssertionError e) {
            what = "internal error: " + e;
        }
        String reason = "it cannot be judged whether this is safe (" + what + "). " + SIMPLER;
        return new Explanation(new Decision(Verdict.DENY, UNJUDGED, reason), List.of());
    }

    private Explanation explainAlone(PreparedCall.Ready<?> ready) {
        JudgedCall call = look(ready);
        List<Decision> decisions = new ArrayList<>();
        denials(call).forEach(decisions::add);
        guardrails.refusal(call, where).ifPresent(decisions::add);
        reach.refusal(call, where).ifPresent(decisions::add);
        List<String> considered = new ArrayList<>();
        decisions.forEach(decision -> considered.add(line(decision)));
        if (decisions.isEmpty()) {
            decisions.addAll(asked(call));
            decisions.forEach(decision -> considered.add(line(decision)));
            List<PolicyReason> refused = new ArrayList<>();
            for (PolicyReason ground : defaults.grounds(call)) {
                Decision decision = judge(call, ground);
                considered.add(line(decision));
                decisions.add(decision);
                if (decision.verdict() == Verdict.DENY) {
                    refused.add(ground);
                }
            }
            if (refused.size() > 1) { // what lifts only one of them would not help
                String rule = refused.getFirst().row().id();
                String reason = DenialAdvice.with(call, refused, where.use());
                decisions.addFirst(new Decision(Verdict.DENY, rule, reason));
            }
        }
        return new Explanation(strictest(call, decisions), considered);
    }

    private static String line(Decision decision) {
        return decision.rule()
                + ": "
                + decision.verdict().name().toLowerCase(java.util.Locale.ROOT)
                + (decision.reason().isEmpty() ? "" : ", " + decision.reason());
    }

    private JudgedCall look(PreparedCall.Ready<?> ready) {
        return ready.tool().subjectKind() == SubjectKind.COMMAND
                ? new JudgedCall(
                        ready,
                        Optional.of(
                                CommandAnalysis.of(
                                        ready.subject(),
                                        ready.folder(where.root()),
                                        where.roots(),
                                        where.home())))
                : new JudgedCall(ready, Optional.empty());
    }

    private List<Decision> denials(JudgedCall call) {
        List<Decision> denials = new ArrayList<>();
        for (Rule rule : rules) {
            if (rule.verdict() == Verdict.DENY && restricts(rule, call)) {
                denials.add(new Decision(Verdict.DENY, rule.toString(), rule.reason()));
            }
        }
        return denials;
    }

    private List<Decision> asked(JudgedCall call) {
        List<Decision> asked = new ArrayList<>();
        for (Rule rule : rules) {
            if (rule.verdict() == Verdict.ASK && restricts(rule, call)) {
                Verdict verdict = preset == ConfirmPreset.YOLO ? Verdict.ALLOW : Verdict.ASK;
                asked.add(new Decision(verdict, rule.toString(), rule.reason()));
            }
        }
        return asked;
    }

    /** What restricts one tool binds those that can do its work as well. */
    private boolean restricts(Rule rule, JudgedCall call) {
        boolean about =
                rule.isAbout(call.tool())
                        || call.ready().tool().alsoDoes().stream().anyMatch(rule::isAbout);
        if (!about) {
            return false;
        }
        return call.facts().isPresent()
                ? rule.restricts(call.ready().subject(), call.facts().get().reading())
                : call.ready().subjects().stream()
                        .flatMap(subject -> names(call, subject).stream())
                        .anyMatch(subject -> rule.matches(call.kind(), subject));
    }

    private List<String> names(JudgedCall call, String subject) {
        return call.kind() == SubjectKind.PATH && subject.startsWith("/")
                ? where.names(Path.of(subject))
                : List.of(subject);
    }

    private Decision judge(JudgedCall call, PolicyReason ground) {
        PolicyRow row = ground.row();
        Verdict verdict = row.verdict(where.use());
        if (verdict == Verdict.ALLOW) {
            return new Decision(Verdict.ALLOW, row.id(), "");
        }
        Optional<Rule> lifting = lifting(call, ground);
        if (lifting.isPresent()) {
            return new Decision(Verdict.ALLOW, lifting.get().toString(), "");
        }
        boolean meant = row == PolicyRow.COMMAND_UNCONFINED_BY_WORD || verdict == Verdict.ASK;
        if (preset == ConfirmPreset.YOLO && row.isSkippedByYolo() && meant) {
            return new Decision(Verdict.ALLOW, preset.wireName(), "");
        }
        String reason =
                verdict == Verdict.DENY
                        ? DenialAdvice.with(call, List.of(ground), where.use())
                        : ground.reason();
        return new Decision(verdict, row.id(), reason, always(call, ground));
    }

    /** The rule that allows what would be asked or denied; of a line's parts that of the first. */
    private Optional<Rule> lifting(JudgedCall call, PolicyReason ground) {
        if (call.facts().isEmpty()) {
            return rules.stream()
                    .filter(rule -> rule.verdict() == Verdict.ALLOW && rule.isAbout(call.tool()))
                    .filter(rule -> ground.row().isLiftedByRule(rule.isNamed()))
                    .filter(rule -> rule.matches(call.kind(), ground.subject()))
                    .findFirst();
        }
        String tool = ground.row() == PolicyRow.COMMAND_WITH_NETWORK ? NETWORK : call.tool();
        List<Rule> allowing =
                rules.stream()
                        .filter(rule -> rule.verdict() == Verdict.ALLOW && rule.isAbout(tool))
                        .filter(rule -> ground.row().isLiftedByRule(rule.isNamed()))
                        .toList();
        Optional<Rule> all = allowing.stream().filter(rule -> !rule.isNamed()).findFirst();
        if (all.isPresent()) {
            return all;
        }
        Optional<Rule> first = Optional.empty();
        for (SimpleCommand part : parts(call)) {
            Optional<Rule> one = allowing.stream().filter(rule -> rule.allows(part)).findFirst();
            if (one.isEmpty()) {
                return Optional.empty();
            }
            first = first.isPresent() ? first : one;
        }
        return first;
    }

    /** The commands of a line that was understood to its end; none of another one. */
    private static List<SimpleCommand> parts(JudgedCall call) {
        return call.facts().isPresent()
                        && call.facts().get().reading() instanceof ShellReading.Clear clear
                ? clear.commands()
                : List.of();
    }

    /** Exactly what is at hand, never a wider pattern; empty if it must be asked each time. */
    private static List<String> always(JudgedCall call, PolicyReason ground) {
        return switch (ground.row()) {
            case READ_OUTSIDE, WRITE, REMEMBER -> exact(call.tool(), ground.subject());
            case FETCH ->
                    exact(
                            call.tool(),
                            HostPattern.server(ground.subject()).replaceFirst(":0$", ""));
            case COMMAND, COMMAND_UNCONFINED, COMMAND_UNCONFINED_BY_WORD, PUBLISH ->
                    each(call, call.tool());
            case COMMAND_WITH_NETWORK -> each(call, NETWORK);
            case SERVER_TOOL -> List.of(call.tool()); // exact arguments hardly come again
            case READ,
                    READ_SECRET,
                    WRITE_CONTROL,
                    WRITE_PIPELINE,
                    WRITE_OWN,
                    WRITE_OUTSIDE,
                    WRITE_SHARED,
                    COMMAND_READING,
                    DESTRUCTIVE,
                    TOO_COMPLEX ->
                    List.of();
        };
    }

    /** A rule for each command of a line; none if one of them could not be allowed so. */
    static List<String> each(JudgedCall call, String tool) {
        List<String> rules = new ArrayList<>();
        for (SimpleCommand part : parts(call)) {
            if (part.program().contains("/") && !part.program().startsWith("/")) {
                return List.of(); // another folder, another program
            }
            List<String> one = exact(tool, part.text());
            boolean holds =
                    one.stream()
                            .flatMap(text -> Rule.parse(text, Verdict.ALLOW).stream())
                            .anyMatch(rule -> rule.allows(part));
            if (!holds) {
                return List.of(); // half an "always" would ask again and tell a person it does not
            }
            rules.addAll(one);
        }
        return rules;
    }

    /** A star would make the rule wider than what was shown. */
    private static List<String> exact(String tool, String subject) {
        boolean plain = subject.chars().noneMatch(c -> c == '*' || c < ' ');
        return plain && !subject.isEmpty() ? List.of(tool + "(" + subject + ")") : List.of();
    }

    private Decision strictest(JudgedCall call, List<Decision> decisions) {
        Decision strictest =
                decisions.stream()
                        .max(Comparator.comparing(Decision::verdict))
                        .orElseGet(() -> new Decision(Verdict.ALLOW, preset.wireName(), ""));
        List<String> always = new ArrayList<>();
        for (Decision decision : decisions) {
            if (decision.verdict() == Verdict.ASK && decision.always().isEmpty()) {
                always.clear();
                break;
            }
            always.addAll(decision.always());
        }
        if (strictest.verdict() == Verdict.ALLOW) {
            return confirmed(call, decisions);
        }
        return new Decision(
                strictest.verdict(),
                strictest.rule(),
                strictest.reason(),
                strictest.verdict() == Verdict.ASK ? few(always) : List.of());
    }

    /** What nobody reads to its end is not to be allowed for ever. */
    private static List<String> few(List<String> rules) {
        List<String> distinct = rules.stream().distinct().toList();
        return distinct.size() <= MOST_RULES ? distinct : List.of();
    }

    /** Allowed, unless everything is to be confirmed and no rule of the user speaks for it. */
    private Decision confirmed(JudgedCall call, List<Decision> allowing) {
        boolean pure = call.ready().spec().effect() == Effect.PURE;
        boolean byRule =
                !allowing.isEmpty()
                                && allowing.stream()
                                        .allMatch(decision -> decision.rule().contains("("))
                        || rules.stream().anyMatch(rule -> isAllowedBy(rule, call));
        if (preset == ConfirmPreset.CONFIRM_ALL && !pure && !byRule) {
            return new Decision(
                    Verdict.ASK, preset.wireName(), "it changes something, and confirm-all asks");
        }
        return allowing.isEmpty()
                ? new Decision(Verdict.ALLOW, preset.wireName(), "")
                : allowing.getLast();
    }

    private static boolean isAllowedBy(Rule rule, JudgedCall call) {
        if (rule.verdict() != Verdict.ALLOW || !rule.isAbout(call.tool())) {
            return false;
        }
        if (call.facts().isEmpty()) {
            return call.ready().subjects().stream()
                    .allMatch(subject -> rule.matches(call.kind(), subject));
        }
        List<SimpleCommand> parts = parts(call);
        return !rule.isNamed() || !parts.isEmpty() && parts.stream().allMatch(rule::allows);
    }
}
