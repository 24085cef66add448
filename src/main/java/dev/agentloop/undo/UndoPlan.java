package dev.agentloop.undo;

import dev.agentloop.session.FileEffect;
import dev.agentloop.session.FileState;
import java.util.List;

/**
 * What an undo would do, before anything is done.
 *
 * @param refusals names that are left as they are
 */
public record UndoPlan(List<Change> changes, List<Refusal> refusals) {

    /** In which way a name gets back what it held. */
    public enum Action {
        RESTORE,
        RECREATE,
        DELETE,
        MOVE_BACK,
        REMOVE_FOLDER
    }

    /**
     * One name that gets back what it held.
     *
     * @param from where it is moved back from; else empty
     * @param blob name of the kept content; else empty
     * @param added lines that it gets, if that can be counted
     * @param removed lines that it loses
     */
    public record Change(
            Action action,
            String path,
            String from,
            FileState wanted,
            String blob,
            int added,
            int removed) {}

    /**
     * A name that is not touched.
     *
     * @param reason what has become of it
     * @param diff from what it holds to what it would get; empty if that cannot be shown
     */
    public record Refusal(String path, String reason, String diff) {}

    /** Whether nothing is left to do, not even to refuse. */
    public boolean isEmpty() {
        return changes.isEmpty() && refusals.isEmpty();
    }

    /** Effects of the last prompt that are not undone yet. */
    public static List<FileEffect> ofPrompt(List<FileEffect> effects, int prompt) {
        return effects.stream().filter(it -> it.prompt() == prompt && !it.undone()).toList();
    }

    /** Effects behind a step that are not undone yet. */
    public static List<FileEffect> behind(List<FileEffect> effects, int step) {
        return effects.stream().filter(it -> it.step() > step && !it.undone()).toList();
    }
}
