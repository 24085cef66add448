package dev.agentloop.loop.call;

import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.call.PreparedCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Puts secrets back in the place of their placeholders when the file that holds them is edited, and
 * refuses placeholders everywhere else: none reaches a file, a command or a server.
 */
final class SecretArguments {
    private static final long MAX_BYTES = 32L << 20; // larger files are not edited by hand

    private final ToolPorts ports;

    SecretArguments(ToolPorts ports) {
        this.ports = ports;
    }

    /** The call as it is to be run, or refused; the same if it has no placeholder of ours. */
    PreparedCall putBack(PreparedCall.Ready<?> ready) {
        Set<String> placeholders = ports.files().placeholders().in(ready.arguments().toString());
        if (placeholders.isEmpty()) {
            return ready;
        }
        String first = placeholders.iterator().next();
        if (ready.spec().effect() != Effect.FILE) {
            return refuse(
                    ready,
                    first
                            + " stands for a secret that you cannot see, and only edits of the file"
                            + " that holds it may have it. Leave it out, e.g. name the variable or"
                            + " the file that holds it.");
        }
        List<Path> files =
                ready.paths().stream().map(Path::of).filter(Files::isRegularFile).toList();
        if (files.size() > 1) {
            return refuse(
                    ready,
                    first
                            + " stands for a secret. Change the file that holds it in a call of its"
                            + " own.");
        }
        String content = files.isEmpty() ? "" : content(files.getFirst());
        Map<String, String> values = new HashMap<>();
        for (String placeholder : placeholders) {
            Optional<String> value = ports.files().placeholders().valueIn(content, placeholder);
            if (value.isEmpty()) {
                return refuse(ready, notHere(placeholder));
            }
            values.put(placeholder, value.get());
        }
        return withValues(ready, values);
    }

    private PreparedCall withValues(PreparedCall.Ready<?> ready, Map<String, String> values) {
        ToolCall call = ready.call();
        String arguments = ports.files().placeholders().reveal(call.arguments(), values);
        PreparedCall real =
                ports.registry().prepare(new ToolCall(call.id(), call.name(), arguments), false);
        boolean same = // what was decided about
                real instanceof PreparedCall.Ready<?> again
                        && again.paths().equals(ready.paths())
                        && again.subjects().equals(ready.subjects())
                        && ports.files().placeholders().in(again.arguments().toString()).isEmpty();
        return same
                ? real
                : refuse(
                        ready,
                        values.keySet().iterator().next()
                                + " stands for a secret and can only stand in the text of an edit,"
                                + " written as it was shown.");
    }

    private static String notHere(String placeholder) {
        return placeholder
                + " stands for a secret that is not in this file. Nothing was changed. A secret"
                + " stays in the file that holds it; let programs read it from there or from the"
                + " environment.";
    }

    private static PreparedCall refuse(PreparedCall.Ready<?> ready, String text) {
        return new PreparedCall.Refused(ready.call(), ToolResult.error(text));
    }

    private static String content(Path file) {
        try {
            return !Files.isRegularFile(file) || Files.size(file) > MAX_BYTES
                    ? ""
                    : new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return ""; // the tool says what is wrong with it, when it holds no secret
        }
    }
}
