package dev.agentloop.tool.builtin;

import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Workspace;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;

/** Folders that decide what programs do; a file tool never writes there. */
final class ControlPaths {
    private static final Set<String> NAMES = Set.of(".git", ".agent");

    private ControlPaths() {}

    /** Throws if the real path {@code file} is, or is in, a control folder. */
    static void refuse(Workspace workspace, Path file) throws ToolException {
        for (Path name : workspace.root().relativize(file)) {
            if (NAMES.contains(plain(name.toString()))) {
                throw ToolException.error(
                        "%s belongs to %s, which file tools never change. Nothing was written."
                                .formatted(workspace.show(file), name));
            }
        }
    }

    /** As the most forgiving file system reads it: case, compatibility forms, trailing dots. */
    private static String plain(String name) {
        String folded = Normalizer.normalize(name, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        StringBuilder plain = new StringBuilder();
        folded.codePoints()
                .filter(c -> Character.getType(c) != Character.FORMAT) // HFS+ skips them
                .forEach(plain::appendCodePoint);
        int end = plain.length();
        while (end > 0 && (plain.charAt(end - 1) == '.' || plain.charAt(end - 1) == ' ')) {
            end--;
        }
        return plain.substring(0, end);
    }
}
