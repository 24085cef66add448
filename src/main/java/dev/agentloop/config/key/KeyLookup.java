package dev.agentloop.config.key;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds keys in the table by the paths that a file uses. */
public final class KeyLookup {
    private KeyLookup() {}

    /** The key at a path; null when there is none. */
    public static @Nullable Key at(KeyPath path) {
        for (Key key : Keys.ALL) {
            if (key.matches(path)) {
                return key;
            }
        }
        return null;
    }

    /** Whether keys stand below a path. */
    public static boolean isSection(KeyPath path) {
        return Keys.ALL.stream().anyMatch(key -> isBelow(path, key));
    }

    /** The parts that may follow a path; {@code NAME} where any name may. */
    public static List<String> namesBelow(KeyPath path) {
        return Keys.ALL.stream()
                .filter(key -> key.inFiles() && isBelow(path, key))
                .map(key -> key.path().part(path.parts().size()))
                .map(part -> part.equals("*") ? "NAME" : part)
                .distinct()
                .toList();
    }

    /** {@code ; did you mean "limits.max_steps"?} when the name is that of a key elsewhere. */
    public static String elsewhere(String name) {
        for (Key key : Keys.ALL) {
            if (!key.isNamed() && Suggestion.plain(key.name()).equals(Suggestion.plain(name))) {
                return "; did you mean \"" + key.path() + "\"?";
            }
        }
        return "";
    }

    /** Names of models may hold anything; a slash in other names could not be addressed. */
    public static boolean isGoodName(KeyPath section) {
        String name = section.parts().getLast();
        if (section.parts().size() != 2) {
            return !name.isBlank() && name.chars().noneMatch(Character::isISOControl);
        }
        return !name.isEmpty()
                && name.chars()
                        .allMatch(c ->
                                c < 128 && Character.isLetterOrDigit(c)
                                        || c == '.'
                                        || c == '-'
                                        || c == '_');
    }

    private static boolean isBelow(KeyPath path, Key key) {
        int depth = path.parts().size();
        return key.path().parts().size() > depth
                && new KeyPath(key.path().parts().subList(0, depth)).covers(path);
    }
}
