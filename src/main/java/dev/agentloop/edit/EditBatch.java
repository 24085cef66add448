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

    /** Finds all places; an exception says which replacement does not fit. */
    public static EditBatch of(String text, List<EditPlan.Replacement> replacements)
            throws EditException {
        List<EditPlan> plans = new ArrayList<>();
        List<Placed> placed = new ArrayList<>();
        for (EditPlan.Replacement replacement : replacements) {
            EditPlan plan = plan(text, replacement, replacements.size() == 1 ? -1 : plans.size());
            for (Splice splice : plan.splices()) {
                placed.add(new Placed(splice, plans.size()));
            }
            plans.add(plan);
        }
        placed.sort(Comparator.comparingInt(place -> place.splice().start()));
        for (int i = 1; i < placed.size(); i++) {
            if (placed.get(i).splice().start() < placed.get(i - 1).splice().end()) {
                throw overlap(text, placed.get(i - 1), placed.get(i));
            }
        }
        return new EditBatch(plans, placed.stream().map(Placed::splice).toList());
    }

    /** A splice and the number of its replacement. */
    private record Placed(Splice splice, int edit) {}

    private static EditPlan plan(String text, EditPlan.Replacement replacement, int number)
            throws EditException {
        try {
            return EditPlan.of(text, replacement);
        } catch (EditException e) {
            throw number < 0
                    ? e
                    : new EditException(
                            "edits[" + number + "]: " + e.getMessage() + " Nothing was changed.");
        }
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
