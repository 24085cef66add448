package dev.agentloop.edit;

import java.util.Map;
import java.util.Optional;

/**
 * Indents new lines as the file would, by what the old lines show: each indent of the model that
 * stands for one of the file, and what a step further in is. Where they show nothing, it refuses:
 * an indent by guess is an error in many a language.
 *
 * @param known indents of the model's old lines and what they are in the file
 */
record IndentSteps(Map<String, String> known) {

    String fit(String line) throws EditException {
        String sent = Indentation.indent(line);
        String base = null;
        for (String each : known.keySet()) {
            if (sent.startsWith(each) && (base == null || each.length() > base.length())) {
                base = each;
            }
        }
        String there = base == null ? null : known.get(base);
        Optional<String> more =
                base == null ? Optional.empty() : step(sent.substring(base.length()));
        if (there == null || more.isEmpty()) {
            throw new EditException(
                    ("old_string fits only with another indentation, which does not tell that of the"
                                    + " new line \"%s\". Copy the text with its indentation from the"
                                    + " file.")
                            .formatted(line.strip()));
        }
        return there + more.get() + line.substring(sent.length());
    }

    /** What further indentation is in the file; empty if nothing tells. */
    private Optional<String> step(String further) {
        if (further.isEmpty()) {
            return Optional.of("");
        }
        for (Map.Entry<String, String> outer : known.entrySet()) {
            for (Map.Entry<String, String> inner : known.entrySet()) {
                Optional<String> shown = shown(outer, inner, further);
                if (shown.isPresent()) {
                    return shown;
                }
            }
        }
        return known.values().stream().allMatch(String::isEmpty)
                ? Optional.of(further)
                : byKind(further);
    }

    /** As often as the step between two old lines fits into it. */
    private static Optional<String> shown(
            Map.Entry<String, String> outer, Map.Entry<String, String> inner, String further) {
        boolean deeper =
                inner.getKey().length() > outer.getKey().length()
                        && inner.getKey().startsWith(outer.getKey())
                        && inner.getValue().startsWith(outer.getValue());
        if (!deeper) {
            return Optional.empty();
        }
        String sent = inner.getKey().substring(outer.getKey().length());
        String file = inner.getValue().substring(outer.getValue().length());
        int times = further.length() / sent.length();
        return sent.repeat(times).equals(further)
                ? Optional.of(file.repeat(times))
                : Optional.empty();
    }

    /** The same signs in both, or so many blanks for each tab. */
    private Optional<String> byKind(String further) {
        boolean blanks = further.chars().allMatch(c -> c == ' ');
        boolean tabs = further.chars().allMatch(c -> c == '\t');
        boolean fileBlanks = known.values().stream().allMatch(i -> i.indexOf('\t') < 0);
        boolean fileTabs = known.values().stream().allMatch(i -> i.indexOf(' ') < 0);
        if (blanks && fileBlanks || tabs && fileTabs) {
            return Optional.of(further);
        }
        int perTab = blanksPerTab(blanks && fileTabs);
        if (perTab == 0 || !(blanks && fileTabs || tabs && fileBlanks)) {
            return Optional.empty();
        }
        if (tabs) {
            return Optional.of(" ".repeat(perTab * further.length()));
        }
        return further.length() % perTab == 0
                ? Optional.of("\t".repeat(further.length() / perTab))
                : Optional.empty();
    }

    /** 0 if the old lines do not tell. */
    private int blanksPerTab(boolean tabsInFile) {
        int found = 0;
        for (Map.Entry<String, String> pair : known.entrySet()) {
            int tabs = (tabsInFile ? pair.getValue() : pair.getKey()).length();
            int blanks = (tabsInFile ? pair.getKey() : pair.getValue()).length();
            if (tabs > 0 && (blanks % tabs != 0 || found > 0 && found != blanks / tabs)) {
                return 0;
            }
            found = tabs > 0 ? blanks / tabs : found;
        }
        return found;
    }
}
