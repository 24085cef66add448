package dev.agentloop.session.jsonl.journal;

import dev.agentloop.session.FileEffect;
import dev.agentloop.session.FileState;
import dev.agentloop.session.JournalRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Gathers what calls did to files. Ids of calls may repeat, so the latest one of an id is meant.
 */
final class EffectFold {
    private final List<FileEffect> effects = new ArrayList<>();
    private int prompts;

    void prompted() {
        prompts++;
    }

    void touched(long seq, int step, JournalRecord.Touched it) {
        effects.add(new FileEffect(seq, prompts, step, it.callId(), it.files(), null, false));
    }

    void left(String callId, Map<String, FileState> after) {
        for (int i = effects.size() - 1; i >= 0; i--) {
            FileEffect effect = effects.get(i);
            if (effect.callId().equals(callId)) {
                effects.set(i, effect.withAfter(after));
                return;
            }
        }
    }

    void undone(JournalRecord.Undone it) {
        effects.replaceAll(
                effect -> it.effects().contains(effect.seq()) ? effect.asUndone() : effect);
    }

    /** What was cut off: nothing is known about the files behind it. */
    List<FileEffect> unsettled() {
        return effects.stream().filter(effect -> effect.after() == null).toList();
    }

    int prompts() {
        return prompts;
    }

    List<FileEffect> all() {
        return List.copyOf(effects);
    }
}
