package dev.agentloop.undo;

import dev.agentloop.session.FileEffect;
import dev.agentloop.session.FileState;
import dev.agentloop.session.FileState.Kind;
import dev.agentloop.session.PreImage;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes effects back in the mind, the last one first: what each name would hold then and where that
 * would come from. A name that does not hold what a call left there was changed by somebody else.
 */
final class EffectReversal {
    /** Reads a name of the workspace without following links. */
    interface Disk {
        FileState state(String name) throws IOException;
    }

    /**
     * What a name would hold.
     *
     * @param at name whose present content it is; empty if the content was kept, or there is none
     * @param blob name of the kept content
     */
    record Virtual(FileState state, String at, String blob) {}

    private final Disk disk;
    private final boolean force;
    private final Map<String, Virtual> names = new LinkedHashMap<>();
    private final Map<String, String> refused = new LinkedHashMap<>();

    /**
     * @param force whether what somebody else has changed is put back all the same
     */
    EffectReversal(Disk disk, boolean force) {
        this.disk = disk;
        this.force = force;
    }

    void takeBack(List<FileEffect> effects) {
        for (FileEffect effect : effects.reversed()) {
            for (PreImage file : effect.before().reversed()) {
                if (!refused.containsKey(file.path())) {
                    takeBack(file, effect);
                }
            }
        }
        spreadRefusals(effects);
    }

    Map<String, Virtual> names() {
        return names;
    }

    /** Names that are left, with the reason; empty where another name's refusal is the reason. */
    Map<String, String> refused() {
        return refused;
    }

    private void takeBack(PreImage file, FileEffect effect) {
        try {
            if (file.isMove()) {
                moveBack(file, effect);
            } else {
                putBack(file, effect);
            }
        } catch (IOException e) {
            refused.put(file.path(), String.valueOf(e.getMessage()));
        }
    }

    private void putBack(PreImage file, FileEffect effect) throws IOException {
        Virtual now = at(file.path());
        FileState left = left(effect, file.path(), now.state());
        boolean ourMode = left.mode() != file.before().mode() && left.mode() == now.state().mode();
        if (now.state().holds(file.before()) && !ourMode) {
            return;
        }
        boolean folder = file.planned().kind() == Kind.FOLDER; // only ever removed when empty
        if (!now.state().holds(left) && !force && !folder) {
            refused.put(file.path(), "it changed since the session left it");
            return;
        }
        names.put(file.path(), new Virtual(file.before(), "", file.blob()));
    }

    private void moveBack(PreImage file, FileEffect effect) throws IOException {
        Virtual from = at(file.path());
        Virtual to = at(file.movedTo());
        FileState left = left(effect, file.path(), from.state());
        if (left.kind() != Kind.ABSENT) {
            return; // the call failed
        }
        if (from.state().holds(file.before()) && to.state().kind() == Kind.ABSENT) {
            return;
        }
        if (refused.containsKey(file.movedTo())) {
            refused.put(file.path(), "");
        } else if (from.state().kind() != Kind.ABSENT) {
            refused.put(file.path(), "there is something else under this name now");
        } else if (!to.state().holds(left(effect, file.movedTo(), to.state())) && !force
                || to.state().kind() == Kind.ABSENT) {
            refused.put(file.movedTo(), "it changed since the session moved it here");
            refused.put(file.path(), "");
        } else {
            names.put(file.path(), to);
            names.put(file.movedTo(), new Virtual(FileState.ABSENT, "", ""));
        }
    }

    /** What the call left there; of a call that was cut off nothing better is known than now. */
    private static FileState left(FileEffect effect, String name, FileState now) {
        Map<String, FileState> after = effect.after();
        return after == null ? now : after.getOrDefault(name, now);
    }

    private Virtual at(String name) throws IOException {
        Virtual known = names.get(name);
        if (known == null) {
            known = new Virtual(disk.state(name), name, "");
            names.put(name, known);
        }
        return known;
    }

    /** What was moved about is put back under all its names or under none. */
    private void spreadRefusals(List<FileEffect> effects) {
        boolean again = true;
        while (again) {
            again = false;
            for (FileEffect effect : effects) {
                for (PreImage file : effect.before()) {
                    boolean one = refused.containsKey(file.path());
                    boolean other = file.isMove() && refused.containsKey(file.movedTo());
                    if (file.isMove() && one != other) {
                        refused.putIfAbsent(one ? file.movedTo() : file.path(), "");
                        again = true;
                    }
                }
            }
        }
    }
}
