package dev.agentloop.permission;

import dev.agentloop.tool.Effect;
import dev.agentloop.tool.SubjectKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The files that an agent may read and change, whoever allows more. What a command or a server does
 * cannot be held to files, so an agent with a reach runs none.
 *
 * @param read patterns as in {@link Guardrails}; empty: all
 * @param edit patterns; empty: all that may be read
 */
public record FileScope(Optional<List<String>> read, Optional<List<String>> edit) {
    /** Nothing is held back. */
    public static final FileScope ALL = new FileScope(Optional.empty(), Optional.empty());

    /** Whether anything is held back. */
    public boolean isSet() {
        return read.isPresent() || edit.isPresent();
    }

    /**
     * Whether a file may be read.
     *
     * @param path relative to the workspace; absolute outside of it
     */
    public boolean mayRead(String path) {
        return read.isEmpty()
                || Guardrails.isAmong(read.get(), path)
                || edit.isPresent() && Guardrails.isAmong(edit.get(), path);
    }

    private boolean mayEdit(String path) {
        return mayRead(path) && (edit.isEmpty() || Guardrails.isAmong(edit.get(), path));
    }

    /** Why the call must not run; empty if nothing speaks against it. */
    Optional<Decision> refusal(JudgedCall call, Circumstances where) {
        if (!isSet()) {
            return Optional.empty();
        }
        if (call.facts().isPresent() || call.kind() == SubjectKind.CALL) {
            return deny("nothing holds " + call.tool() + " to the files that this agent may reach");
        }
        boolean writes = call.ready().spec().effect() != Effect.PURE;
        for (String text : call.ready().paths()) {
            Path path = Path.of(text);
            String shown = JudgedCall.shown(where.root(), path);
            if (writes && !mayEdit(shown)) {
                return deny("this agent may edit " + patterns(edit.or(() -> read)));
            }
            boolean looks = Files.isDirectory(path); // a search leaves out what is not in reach
            boolean ours = where.readable().stream().anyMatch(path::startsWith);
            if (!writes && !looks && !ours && !mayRead(shown)) {
                return deny("this agent may read " + patterns(read));
            }
        }
        return Optional.empty();
    }

    private static String patterns(Optional<List<String>> patterns) {
        List<String> all = patterns.orElse(List.of());
        return all.isEmpty() ? "nothing" : "only " + String.join(", ", all);
    }

    private static Optional<Decision> deny(String why) {
        return Optional.of(new Decision(Verdict.DENY, "reach", why));
    }
}
