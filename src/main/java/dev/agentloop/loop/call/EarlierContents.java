package dev.agentloop.loop.call;

import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolCall;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.call.PreparedCall;
import dev.agentloop.undo.Undo;
import dev.agentloop.undo.UnifiedDiff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the files of a call held before it: for its diff, and to tell new errors from old ones. */
final class EarlierContents {
    private static final int MOST_BYTES = 1024 * 1024; // of a file
    private static final int MOST_LINES = 500; // of a diff

    private final Path root;
    private final Map<String, Map<Path, byte[]>> before = new ConcurrentHashMap<>(); // by call

    /**
     * @param root of the workspace
     */
    EarlierContents(Path root) {
        this.root = root;
    }

    /** Before the call changes anything. */
    void keep(PreparedCall.Ready<?> ready) {
        if (ready.spec().effect() != Effect.FILE) {
            return;
        }
        Map<Path, byte[]> contents = new HashMap<>();
        for (String path : ready.paths()) {
            byte[] content = content(Path.of(path));
            if (content != null) {
                contents.put(Path.of(path), content);
            }
        }
        before.put(ready.call().id(), contents);
    }

    /** What the file held; of one that got a new name, under its old one. Empty for a new file. */
    byte[] of(ToolCall call, String path) {
        Map<Path, byte[]> contents = before.getOrDefault(call.id(), Map.of());
        byte[] same = contents.get(root.resolve(path));
        return same != null ? same : moved(contents);
    }

    private static byte[] moved(Map<Path, byte[]> contents) {
        return contents.entrySet().stream()
                .filter(content -> !Files.exists(content.getKey(), LinkOption.NOFOLLOW_LINKS))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(new byte[0]);
    }

    /**
     * How the text of the file has changed since; empty for what is no text, or too large.
     *
     * @param hide takes secrets out of a whole text: in a part of it one may not be seen as such
     */
    String diff(ToolCall call, FileChange change, UnaryOperator<String> hide) {
        boolean gone = change.kind() == FileChange.Kind.DELETED;
        boolean fresh = change.kind() == FileChange.Kind.ADDED;
        byte[] old = fresh ? new byte[0] : of(call, change.path());
        byte[] now = gone ? new byte[0] : content(root.resolve(change.path()));
        if (now == null || !isText(old) || !isText(now)) {
            return "";
        }
        return UnifiedDiff.between(
                new UnifiedDiff.Side(
                        fresh ? "/dev/null" : "a/" + change.path(), hide.apply(Undo.text(old))),
                new UnifiedDiff.Side(
                        gone ? "/dev/null" : "b/" + change.path(), hide.apply(Undo.text(now))),
                MOST_LINES);
    }

    void forget(ToolCall call) {
        before.remove(call.id());
    }

    private static boolean isText(byte[] content) {
        return content.length == 0 || !Undo.text(content).isEmpty();
    }

    private static byte @Nullable [] content(Path file) {
        try {
            boolean readable =
                    Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                            && Files.size(file) <= MOST_BYTES;
            return readable ? Files.readAllBytes(file) : null;
        } catch (IOException e) {
            return null; // the tool finds out why, and says so
        }
    }
}
