package dev.agentloop.session;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one call did to files.
 *
 * @param seq number of its record; orders effects and names them
 * @param prompt number of the person's prompt that it belongs to, from 1
 * @param step number of the reply that it belongs to, from 1
 * @param before in the order of the changes
 * @param after what each name held when the call had ended, hooks included; null if it was cut off
 * @param undone whether all of it was put back
 */
public record FileEffect(
        long seq,
        int prompt,
        int step,
        String callId,
        List<PreImage> before,
        @Nullable Map<String, FileState> after,
        boolean undone) {

    public FileEffect withAfter(Map<String, FileState> states) {
        return new FileEffect(seq, prompt, step, callId, before, states, undone);
    }

    public FileEffect asUndone() {
        return new FileEffect(seq, prompt, step, callId, before, after, true);
    }
}
