package dev.agentloop.patch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the form that begins with {@code *** Begin Patch}; what stands around it is left out. */
final class MarkedPatch {
    private final List<String> lines;
    private final List<Patch.Section> sections = new ArrayList<>();
    private int at;

    MarkedPatch(List<String> lines) {
        this.lines = lines;
    }

    Patch read() throws PatchException {
        boolean begun = skipTo("begin patch");
        while (at < lines.size()) {
            String line = lines.get(at);
            String directive = PatchParser.directive(line);
            at++;
            switch (directive) {
                case "end patch" -> {
                    return new Patch(List.copyOf(sections));
                }
                case "add file:" -> sections.add(add(PatchParser.argument(line)));
                case "delete file:" ->
                        sections.add(new Patch.Delete(PatchParser.argument(line), List.of()));
                case "update file:" -> sections.add(update(PatchParser.argument(line)));
                case "begin patch" -> {} // two patches one after the other are one
                default -> between(line);
            }
        }
        if (begun) {
            throw new PatchException(
                    "The patch has no *** End Patch, so it may not be whole. Nothing was changed.");
        }
        return new Patch(List.copyOf(sections));
    }

    /** Before the first section a fence or a shell's heredoc may stand, after one nothing. */
    private void between(String line) throws PatchException {
        boolean harmless = line.isBlank() || line.startsWith("```") || line.strip().equals("EOF");
        if (!sections.isEmpty() && !harmless) {
            throw new PatchException(
                    "Line "
                            + at
                            + " of the patch belongs to no file: "
                            + line.strip()
                            + ". Nothing was changed.");
        }
    }

    private boolean skipTo(String directive) {
        for (int i = 0; i < lines.size(); i++) {
            if (PatchParser.directive(lines.get(i).strip()).equals(directive)) {
                at = i + 1;
                return true;
            }
        }
        return false;
    }

    private boolean atDirective() {
        return at < lines.size() && !PatchParser.directive(lines.get(at)).isEmpty();
    }

    private Patch.Add add(String path) throws PatchException {
        List<String> written = new ArrayList<>();
        while (at < lines.size() && !atDirective()) {
            written.add(lines.get(at));
            at++;
        }
        while (!written.isEmpty() && written.getLast().isEmpty()) {
            written.removeLast();
        }
        boolean signed = written.stream().anyMatch(line -> line.startsWith("+"));
        List<String> content = new ArrayList<>();
        for (String line : written) {
            if (signed && !line.startsWith("+") && !line.isEmpty()) {
                throw new PatchException(
                        "*** Add File: "
                                + path
                                + " has a line without its +: "
                                + line
                                + ". Nothing was changed.");
            }
            content.add(signed && !line.isEmpty() ? line.substring(1) : line);
        }
        return new Patch.Add(path, List.copyOf(content), true, Patch.KEEP_MODE);
    }

    private Patch.Update update(String path) {
        Optional<String> moveTo = Optional.empty();
        HunkCollector hunks = new HunkCollector();
        while (at < lines.size()) {
            String line = lines.get(at);
            String directive = PatchParser.directive(line);
            if (directive.equals("move to:")) {
                moveTo = Optional.of(PatchParser.argument(line));
            } else if (directive.equals("end of file")) {
                hunks.endOfFile();
            } else if (!directive.isEmpty()) {
                break;
            } else if (!(hunks.isFresh() && isHeader(line))) {
                hunks.take(line);
            }
            at++;
        }
        return new Patch.Update(path, moveTo, hunks.all(), Patch.KEEP_MODE);
    }

    /** Headers of a unified diff that a model has mixed in. */
    private boolean isHeader(String line) {
        boolean names =
                line.startsWith("--- ")
                                && at + 1 < lines.size()
                                && lines.get(at + 1).startsWith("+++ ")
                        || line.startsWith("+++ ") && lines.get(at - 1).startsWith("--- ");
        return names || line.startsWith("diff --git ") || line.startsWith("index ");
    }
}
