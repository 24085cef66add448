package dev.agentloop.sandbox.git;

import dev.agentloop.sandbox.git.file.GitFiles;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** What is said of settings by which git fetches from and pushes to other places than before. */
final class RemoteChanges {
    static final String REPLACED =
            " was a repository and leads to another one since the command ran: look where that"
                    + " pushes to before you use it";

    private static final int MOST = 10; // settings of one file that a note names

    private RemoteChanges() {}

    /**
     * The end of a sentence that begins with the name of the file; empty if nothing has changed.
     *
     * @param were values by the name of the setting
     * @param are the same, after the command
     */
    static Optional<String> said(Map<String, String> were, Map<String, String> are) {
        Set<String> names = new LinkedHashSet<>(were.keySet()); // what was there comes first
        names.addAll(are.keySet());
        names.removeIf(name -> Objects.equals(were.get(name), are.get(name)));
        names.removeIf(
                name -> name.startsWith("submodule.") && !were.containsKey(name)); // a new one
        if (names.isEmpty()) {
            return Optional.empty();
        }
        List<String> said = new ArrayList<>();
        for (String name : names.stream().limit(MOST).toList()) {
            said.add(GitFiles.oneLine(name + " is " + are.getOrDefault(name, "gone")));
        }
        int more = names.size() - said.size();
        return Optional.of(
                " was changed by the command: "
                        + String.join(", ", said)
                        + (more > 0 ? " and " + more + " more settings of this kind" : "")
                        + "; look where git fetches from and pushes to before you use it");
    }
}
