package dev.agentloop.tool.builtin.file;

import dev.agentloop.edit.EditBatch;
import dev.agentloop.edit.EditException;
import dev.agentloop.edit.EditPlan;
import dev.agentloop.edit.LineDiff;
import dev.agentloop.edit.LineEnds;
import dev.agentloop.edit.Splice;
import dev.agentloop.edit.TextFile;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Replaces text in a file and leaves every other byte as it was. */
public final class EditFileTool extends BuiltInTool<EditFileTool.Args> {
    private static final int MAX_PLACES_NAMED = 10;

    public EditFileTool() {
        super("edit_file", Effect.FILE, Args.class);
    }

    /** What to replace by what. */
    public record Args(
            String filePath,
            @Nullable String oldString,
            @Nullable String newString,
            @Nullable Boolean replaceAll,
            @Nullable List<Edit> edits) {}

    /** One of several edits. */
    public record Edit(String oldString, String newString, @Nullable Boolean replaceAll) {}

    @Override
    public String subject(Args args) {
        return args.filePath();
    }

    @Override
    public List<String> paths(Args args) {
        return List.of(args.filePath());
    }

    @Override
    public List<String> newTexts(Args args) {
        List<String> texts = new ArrayList<>();
        if (args.newString() != null) {
            texts.add(args.newString());
        }
        if (args.edits() != null) {
            args.edits().forEach(edit -> texts.add(edit.newString()));
        }
        return texts;
    }

    @Override
    public List<String> alsoDoes() {
        return List.of("read_file");
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
        List<EditPlan.Replacement> replacements = replacements(args);
        Path file = context.workspace().resolve(args.filePath());
        ProtectedFolders.refuse(context.workspace(), file);
        FileKind.requireFile(context.workspace(), file, args.filePath());
        byte[] old = FileWriting.content(file, context);
        String shown = context.workspace().show(file);
        TextFile text =
                TextFile.of(old)
                        .orElseThrow(() -> ToolException.error(shown + " is binary; not edited."));
        try {
            boolean stale = FileWriting.isStale(file, old, context);
            boolean shownBefore = context.seen().wasShown(file, old); // it knows of the others
            byte[] seen = stale ? known(file, old, text, replacements, context) : old;
            EditBatch batch = EditBatch.of(text.text(), replacements);
            byte[] edited = text.spliced(batch.splices());
            AtomicFile.write(context.workspace().roots(), file, edited, context.intent());
            context.seen().saw(file, stale ? seen : edited);
            ToolResult result = result(shown, text.text(), batch);
            return stale && !shownBefore
                    ? result.withText(result.text() + ElsewhereChanged.NOTE, false)
                    : result;
        } catch (EditException e) {
            throw ToolException.error(shown + ": " + e.getMessage());
        }
    }

    /** What the model knows after an edit of a file that others have changed since it read it. */
    private static byte[] known(
            Path file,
            byte[] now,
            TextFile text,
            List<EditPlan.Replacement> replacements,
            ToolContext context)
            throws ToolException {
        boolean shown = context.seen().wasShown(file, now);
        return context.seen()
                .content(file)
                .flatMap(seen ->
                        ElsewhereChanged.known(
                                seen, text, shown, any -> places(EditBatch.of(any, replacements))))
                .orElseThrow(() -> FileWriting.stale(file, now, context));
    }

    private static ElsewhereChanged.Places places(EditBatch batch) {
        List<EditPlan.Tolerance> tolerances =
                batch.plans().stream().map(EditPlan::tolerance).toList();
        boolean exact = Set.of(EditPlan.Tolerance.NONE).containsAll(tolerances);
        return new ElsewhereChanged.Places(batch.splices(), tolerances, exact);
    }

    private static List<EditPlan.Replacement> replacements(Args args) throws ToolException {
        List<Edit> edits = args.edits() == null ? List.of() : args.edits();
        if (!edits.isEmpty() && saysMore(args, edits)) {
            throw ToolException.error(
                    "Give either old_string, new_string and replace_all, or edits, each of which has"
                            + " its own. Nothing was changed.");
        }
        if (!edits.isEmpty()) {
            return edits.stream()
                    .map(edit -> replacement(edit.oldString(), edit.newString(), edit.replaceAll()))
                    .toList();
        }
        if (args.oldString() == null || args.newString() == null) {
            throw ToolException.error(
                    (args.oldString() == null ? "old_string" : "new_string")
                            + " is missing: give old_string and new_string, or edits.");
        }
        return List.of(replacement(args.oldString(), args.newString(), args.replaceAll()));
    }

    /** Models that fill every parameter say the same twice, or nothing. */
    private static boolean saysMore(Args args, List<Edit> edits) {
        String old = args.oldString() == null ? "" : args.oldString();
        String with = args.newString() == null ? "" : args.newString();
        boolean nothing = old.isEmpty() && with.isEmpty();
        boolean same =
                edits.stream()
                        .anyMatch(edit ->
                                edit.oldString().equals(old) && edit.newString().equals(with));
        return Boolean.TRUE.equals(args.replaceAll()) || !nothing && !same;
    }

    private static EditPlan.Replacement replacement(
            String old, String with, @Nullable Boolean everywhere) {
        return new EditPlan.Replacement(old, with, Boolean.TRUE.equals(everywhere));
    }

    private static ToolResult result(String shown, String before, EditBatch batch) {
        LineDiff lines = batch.lines(before);
        String text =
                "Edited "
                        + shown
                        + " at "
                        + places(before, batch)
                        + ": "
                        + lines
                        + " lines"
                        + tolerances(batch.plans())
                        + ".";
        FileChange change =
                new FileChange(shown, FileChange.Kind.MODIFIED, lines.added(), lines.removed());
        return ToolResult.ok(text).withChanges(List.of(change));
    }

    private static String places(String before, EditBatch batch) {
        List<Splice> splices = batch.splices();
        if (splices.size() > MAX_PLACES_NAMED || batch.plans().size() == 1 && splices.size() > 1) {
            return splices.size() + " places";
        }
        String numbers =
                splices.stream()
                        .map(splice -> "" + LineEnds.lineNumber(before, splice.start()))
                        .distinct()
                        .collect(Collectors.joining(", "));
        return (numbers.contains(",") ? "lines " : "line ") + numbers;
    }

    private static String tolerances(List<EditPlan> plans) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < plans.size(); i++) {
            EditPlan plan = plans.get(i);
            if (plan.tolerance() != EditPlan.Tolerance.NONE) {
                all.append(plans.size() == 1 ? ", matched " : ", edits[" + i + "] matched ");
                all.append(plan.tolerance().words());
            }
        }
        return all.toString();
    }
}
