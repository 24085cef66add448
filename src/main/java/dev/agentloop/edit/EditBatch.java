package dev.agentloop.edit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Several replacements in one text. Each is found in the text as it was, so their order does not
 * matter; all fit, or none is made.
 *
 * @param plans one for each replacement, in their order
 * @param splices of all plans, ascending
 */
public record EditBatch(List<EditPlan> plans, List<Splice> splices) {
    private static final int MOST_REFUSALS = 4; // each may show 40 lines

    /** Finds all places; an exception says which replacements do not fit. */
    public static EditBatch of(String text, List<EditPlan.Replacement> replacements)
            throws EditException {
        List<EditPlan> plans = plans(text, replacements);
        List<Placed> placed = new ArrayList<>();
        for (int i = 0; i < plans.size(); i++) {
            for (Splice splice : plans.get(i).splices()) {
                placed.add(new Placed(splice, i));
            }
        }
        placed.sort(Comparator.comparingInt(place -> place.splice().start()));
        for (int i = 1; i < placed.size(); i++) {
            if (placed.get(i).splice().start() < placed.get(i - 1).splice().end()) {
                throw overlap(text, placed.get(i - 1), placed.get(i));
            }
        }
        return new EditBatch(plans, placed.stream().map(Placed::splice).toList());
    }

    /**
     * Lines that go and come, each counted once however many edits are in it.
     *
     * @param text as it was
     */
    public LineDiff lines(String text) {
        LineDiff all = new LineDiff(0, 0);
        int i = 0;
        while (i < splices.size()) {
            int start = text.lastIndexOf('\n', splices.get(i).start() - 1) + 1;
            int at = start;
            int end = start;
            StringBuilder now = new StringBuilder();
            do {
                Splice splice = splices.get(i);
                now.append(text, at, splice.start()).append(splice.replacement());
                at = splice.end();
                int feed = text.indexOf('\n', at);
                end = feed < 0 ? text.length() : feed + 1;
                i++;
            } while (i < splices.size() && splices.get(i).start() < end);
            now.append(text, at, end);
            all = all.plus(LineDiff.between(text.substring(start, end), now.toString()));
        }
        return all;
    }

    /** A splice and the number of its replacement. */
    private record Placed(Splice splice, int edit) {}

    private static List<EditPlan> plans(String text, List<EditPlan.Replacement> replacements)
            throws EditException {
        List<EditPlan> plans = new ArrayList<>();
        List<String> refusals = new ArrayList<>(); // each begins with the number of its edit
        for (int i = 0; i < replacements.size(); i++) {
            try {
                plans.add(EditPlan.of(text, replacements.get(i)));
            } catch (EditException e) {
                if (replacements.size() == 1) {
                    throw e;
                }
                refusals.add("edits[%d]: %s".formatted(i, e.getMessage()));
                if (refusals.size() == MOST_REFUSALS && i + 1 < replacements.size()) {
                    refusals.add("The edits behind it were not looked at.");
                    break;
                }
            }
        }
        if (!refusals.isEmpty()) {
            // all at once, so that the next call can mend them all
            throw new EditException(FileBlocks.nothingChanged(String.join("\n", refusals)));
        }
        return plans;
    }

    private static EditException overlap(String text, Placed one, Placed other) {
        return new EditException(
                ("edits[%d] and edits[%d] both change line %d. Each edit is matched against the"
                                + " file as it was: make one edit of the two. Nothing was changed.")
                        .formatted(
                                Math.min(one.edit(), other.edit()),
                                Math.max(one.edit(), other.edit()),
                                LineEnds.lineNumber(text, other.splice().start())));
    }
}
