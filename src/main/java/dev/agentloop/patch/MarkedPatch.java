package dev.agentloop.patch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the form that begins with {@code *** Begin Patch}. */
final class MarkedPatch {
    private final PatchText source;
    private final List<Patch.Section> sections = new ArrayList<>();
    private int at;

    /** Where the reader is: a second patch may follow the first. */
    private enum Place {
        BEFORE,
        INSIDE,
        BEHIND
    }

    MarkedPatch(PatchText source) {
        this.source = source;
    }

    Patch read() throws PatchException {
        Place place = Place.BEFORE;
        while (at < source.size()) {
            String line = source.line(at);
            String directive = PatchParser.directive(line.strip());
            if (directive.equals("begin patch")) {
                place = Place.INSIDE;
                at++;
            } else if (directive.equals("end patch")) {
                place = Place.BEHIND;
                at++;
            } else {
                take(line, place);
            }
        }
        if (place == Place.INSIDE) {
            throw new PatchException(
                    "The patch has no *** End Patch, so it may not be whole. Nothing was changed.");
        }
        return new Patch(List.copyOf(sections));
    }

    private void take(String line, Place place) throws PatchException {
        String directive = PatchParser.directive(line);
        if (place == Place.BEHIND && !isHarmless(line)) {
            throw new PatchException(
                    "Line %d stands behind *** End Patch: %s. Nothing was changed."
                            .formatted(at + 1, line.strip()));
        }
        at++;
        switch (directive) {
            case "add file:" -> sections.add(add(PatchParser.argument(line)));
            case "delete file:" ->
                    sections.add(new Patch.Delete(PatchParser.argument(line), List.of()));
            case "update file:" -> sections.add(update(PatchParser.argument(line)));
            case "end of file" -> {} // of a new file
            default -> between(line, place);
        }
    }

    /** Before the first section prose may stand, after one nothing. */
    private void between(String line, Place place) throws PatchException {
        boolean change = !PatchParser.directive(line).isEmpty() || line.startsWith("@@");
        boolean prose = place != Place.BEHIND && sections.isEmpty() && !change;
        if (!prose && !isHarmless(line)) {
            throw PatchParser.stray(at - 1, line);
        }
    }

    /** Behind a patch: anything that cannot be meant as a change. */
    private static boolean isHarmless(String line) {
        boolean change =
                !PatchParser.directive(line).isEmpty()
                        || line.startsWith("@@")
                        || line.startsWith("+")
                        || line.startsWith("-");
        return line.isBlank() || line.startsWith("```") || line.strip().equals("EOF") || !change;
    }

    private boolean atDirective() {
        return at < source.size() && !PatchParser.directive(source.line(at)).isEmpty();
    }

    private Patch.Add add(String path) throws PatchException {
        skipHeadOfNewFile();
        List<String> written = new ArrayList<>();
        while (at < source.size() && !atDirective()) {
            written.add(source.line(at));
            at++;
        }
        boolean newline = true;
        if (!written.isEmpty() && written.getLast().startsWith("\\ No newline")) {
            written.removeLast();
            newline = false;
        }
        while (!written.isEmpty() && written.getLast().isEmpty()) {
            written.removeLast();
        }
        boolean signed =
                written.stream().anyMatch(line -> line.startsWith("+"))
                        || !written.isEmpty() && isSigned(written.getFirst());
        List<String> content = new ArrayList<>();
        for (String line : written) {
            if (signed && !line.startsWith("+") && !line.isEmpty()) {
                throw new PatchException(
                        "*** Add File: %s has a line without its +: %s. Nothing was changed."
                                .formatted(path, line));
            }
            content.add(signed && !line.isEmpty() ? line.substring(1) : line);
        }
        return new Patch.Add(path, List.copyOf(content), newline, Patch.KEEP_MODE);
    }

    private static boolean isSigned(String line) {
        return line.startsWith(" ") || line.startsWith("-");
    }

    /** The head that a unified diff gives a new file. */
    private void skipHeadOfNewFile() {
        if (source.line(at).startsWith("--- ") && source.line(at + 1).startsWith("+++ ")) {
            at += 2;
        }
        boolean signed = source.line(at + 1).startsWith("+");
        if (source.line(at).startsWith("@@") && signed) {
            at++;
        }
    }

    private Patch.Update update(String path) throws PatchException {
        Optional<String> moveTo = Optional.empty();
        HunkCollector hunks = new HunkCollector();
        while (at < source.size()) {
            String line = source.line(at);
            String directive = PatchParser.directive(line);
            if (directive.equals("move to:")) {
                moveTo = Optional.of(PatchParser.argument(line));
            } else if (directive.equals("end of file")) {
                hunks.endOfFile();
            } else if (!directive.isEmpty()) {
                break;
            } else if (isNames(hunks)) {
                requireSame(path, moveTo);
                at++;
            } else if (hunks.hasBegun() || !isHeader(line)) {
                hunks.take(line, source.windows().get(at));
            }
            at++;
        }
        return new Patch.Update(path, moveTo, hunks.all(), Patch.KEEP_MODE);
    }

    /** The two lines of a unified diff that name its file, mixed in by a model. */
    private boolean isNames(HunkCollector hunks) {
        return source.line(at).startsWith("--- ")
                && source.line(at + 1).startsWith("+++ ")
                && (!hunks.hasBegun() || source.line(at + 2).startsWith("@@"));
    }

    private void requireSame(String path, Optional<String> moveTo) throws PatchException {
        FileHeader names = new FileHeader();
        names.names(source.line(at), source.line(at + 1));
        boolean same = names.isFor(path) || moveTo.isPresent() && names.isFor(path, moveTo.get());
        if (!same) {
            throw new PatchException(
                    "Below *** Update File: %s the patch names another file: %s. Nothing was changed."
                            .formatted(path, source.line(at + 1).strip()));
        }
    }

    private static boolean isHeader(String line) {
        return line.startsWith("diff --git ") || line.startsWith("index ");
    }
}
