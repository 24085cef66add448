package dev.agentloop.tool.builtin;

import dev.agentloop.edit.EditException;
import dev.agentloop.edit.EditPlan;
import dev.agentloop.edit.LineDiff;
import dev.agentloop.edit.LineEnds;
import dev.agentloop.edit.Splice;
import dev.agentloop.edit.TextFile;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.ToolSpecs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Replaces text in a file and leaves every other byte as it was. */
public final class EditFileTool implements Tool<EditFileTool.Args> {
    private final ToolSpec spec = ToolSpecs.load("edit_file", Effect.FILE);

    /** What to replace by what. */
    public record Args(
            @Doc("Path relative to the workspace root") String filePath,
            @Doc("Text to replace, copied from the file with its indentation") String oldString,
            @Doc("Text to put there") String newString,
            @Doc(value = "Replace every occurrence", optional = true)
                    @Nullable Boolean replaceAll) {}

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public Class<Args> argumentType() {
        return Args.class;
    }

    @Override
    public String subject(Args args) {
        return args.filePath();
    }

    @Override
    public List<String> paths(Args args) {
        return List.of(args.filePath());
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
        Path file = context.workspace().resolve(args.filePath());
        ControlPaths.refuse(context.workspace(), file);
        FileKind.requireFile(context.workspace(), file, args.filePath());
        byte[] old = FileWriting.content(file, context);
        FileWriting.refuseStale(file, old, context);
        String shown = context.workspace().show(file);
        TextFile text =
                TextFile.of(old)
                        .orElseThrow(() -> ToolException.error(shown + " is binary; not edited."));
        try {
            EditPlan plan = EditPlan.of(text.text(), replacement(args));
            byte[] edited = text.spliced(plan.splices());
            AtomicFile.write(file, edited, context.intent());
            context.seen().saw(file, SeenFiles.fingerprint(edited));
            return result(shown, text.text(), plan);
        } catch (EditException e) {
            throw ToolException.error(shown + ": " + e.getMessage());
        }
    }

    private static EditPlan.Replacement replacement(Args args) {
        boolean everywhere = Boolean.TRUE.equals(args.replaceAll());
        return new EditPlan.Replacement(args.oldString(), args.newString(), everywhere);
    }

    private static ToolResult result(String shown, String before, EditPlan plan) {
        LineDiff lines = new LineDiff(0, 0);
        for (Splice splice : plan.splices()) {
            String old = before.substring(splice.start(), splice.end());
            lines = lines.plus(LineDiff.between(old, splice.replacement()));
        }
        int count = plan.splices().size();
        String where =
                count == 1
                        ? "line " + LineEnds.lineNumber(before, plan.splices().getFirst().start())
                        : count + " places";
        String how =
                plan.tolerance() == EditPlan.Tolerance.NONE
                        ? ""
                        : ", matched " + plan.tolerance().words();
        return ToolResult.ok(
                        "Edited " + shown + " at " + where + ": " + lines + " lines" + how + ".")
                .withChanges(
                        List.of(
                                new FileChange(
                                        shown,
                                        FileChange.Kind.MODIFIED,
                                        lines.added(),
                                        lines.removed())));
    }
}
