package dev.agentloop.session.export;

import dev.agentloop.json.JsonValue;
import dev.agentloop.message.ToolCall;
import dev.agentloop.session.Blobs;
import dev.agentloop.session.FileEffect;
import dev.agentloop.session.FileState;
import dev.agentloop.session.PreImage;
import dev.agentloop.session.SavedSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What files held before calls changed them, which the session keeps for an undo. With it a change
 * has the lines around it and their numbers.
 */
final class EarlierTexts {
    private static final int LONGEST = 1 << 20; // bytes; a longer file is shown without

    private final Map<String, List<PreImage>> files = new HashMap<>(); // by call
    private final Blobs contents;

    EarlierTexts(SavedSession session, Blobs contents) {
        this.contents = contents;
        for (FileEffect effect : session.effects()) {
            files.computeIfAbsent(effect.callId(), _ -> new ArrayList<>()).addAll(effect.before());
        }
    }

    /**
     * A file before and after a change.
     *
     * @param before empty where there was none
     */
    record Change(String before, String after) {}

    /** Empty if the session does not say it exactly: what a fuzzy match has found, for one. */
    Optional<Change> of(ToolCall call, JsonValue arguments) {
        Optional<String> before = before(call.id());
        if (before.isEmpty()) {
            return Optional.empty();
        }
        if (call.name().equals("write_file")) {
            return Optional.of(new Change(before.get(), arguments.at("content").textOr("")));
        }
        List<JsonValue> edits = new ArrayList<>(arguments.at("edits").items());
        if (edits.isEmpty()) {
            edits.add(arguments);
        }
        String after = before.get();
        for (JsonValue edit : edits) {
            String old = edit.at("old_string").textOr("");
            if (old.isEmpty() ? !after.isEmpty() : !after.contains(old)) {
                return Optional.empty();
            }
            String fresh = edit.at("new_string").textOr("");
            int at = after.indexOf(old);
            after =
                    edit.at("replace_all").isTrue()
                            ? after.replace(old, fresh)
                            : after.substring(0, at) + fresh + after.substring(at + old.length());
        }
        return Optional.of(new Change(before.get(), after));
    }

    /** Of the one file that the call has changed. */
    private Optional<String> before(String callId) {
        List<PreImage> changed = files.getOrDefault(callId, List.of());
        if (changed.size() != 1 || changed.getFirst().isMove()) {
            return Optional.empty();
        }
        PreImage file = changed.getFirst();
        boolean absent = file.before().kind() == FileState.Kind.ABSENT;
        if (!absent && file.blob().isEmpty()) {
            return Optional.empty();
        }
        try {
            byte[] bytes = absent ? new byte[0] : contents.read(file.blob());
            return bytes.length > LONGEST
                    ? Optional.empty()
                    : Optional.of(
                            StandardCharsets.UTF_8
                                    .newDecoder()
                                    .decode(ByteBuffer.wrap(bytes))
                                    .toString()
                                    .replace("\r\n", "\n"));
        } catch (IOException e) {
            return Optional.empty(); // no text, or not kept any more
        }
    }
}
