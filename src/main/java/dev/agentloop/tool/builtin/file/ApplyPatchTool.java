package dev.agentloop.tool.builtin.file;

import dev.agentloop.message.ToolResult;
import dev.agentloop.patch.Patch;
import dev.agentloop.patch.PatchException;
import dev.agentloop.patch.PatchParser;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Applies a patch to several files, wholly or not at all. */
public final class ApplyPatchTool extends BuiltInTool<ApplyPatchTool.Args> {
    private static final String UNCHANGED = "Nothing was changed.";
    private static final int MOST_REFUSED = 4;

    public ApplyPatchTool() {
        super("apply_patch", Effect.FILE, Args.class);
    }

    /** The patch as the model wrote it, with all wrappers. */
    public record Args(String patch) {}

    @Override
    public String subject(Args args) {
        return String.join(", ", paths(args));
    }

    /** Each file of the patch must be allowed. */
    @Override
    public List<String> subjects(Args args) {
        List<String> paths = paths(args);
        return paths.isEmpty() ? List.of("") : paths;
    }

    @Override
    public List<String> newTexts(Args args) {
        StringBuilder added = new StringBuilder();
        args.patch()
                .lines()
                .filter(line -> line.startsWith("+") && !line.startsWith("+++ "))
                .forEach(line -> added.append(line, 1, line.length()).append('\n'));
        return List.of(added.toString());
    }

    @Override
    public List<String> alsoDoes() {
        return List.of("read_file", "edit_file", "write_file", "delete_file", "move_file");
    }

    /** None for a patch that cannot be read: {@link #run} says why. */
    @Override
    public List<String> paths(Args args) {
        try {
            return PatchParser.parse(args.patch()).paths();
        } catch (PatchException e) {
            return List.of();
        }
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
        PatchedFiles files = read(args.patch(), context);
        files.transaction().commit(context.intent());
        files.remember();
        return ToolResult.ok(files.report()).withChanges(files.changes());
    }

    /**
     * All files as they are to be; whatever is wrong with one, the others stay as well. Of up to
     * four files the refusal says what is wrong, so that the next patch can be right.
     */
    private static PatchedFiles read(String text, ToolContext context)
            throws IOException, ToolException {
        PatchedFiles files = new PatchedFiles(context);
        List<String> refusals = new ArrayList<>();
        Set<String> refused = new HashSet<>(); // paths
        for (Patch.Section section : parsed(text).sections()) {
            if (refusals.size() < MOST_REFUSED && !refused.contains(section.path())) {
                try {
                    files.take(section);
                } catch (ToolException e) {
                    refusals.add(said(e));
                    refused.add(section.path());
                    if (section instanceof Patch.Update update) {
                        update.moveTo().ifPresent(refused::add);
                    }
                }
            }
        }
        if (refusals.size() == MOST_REFUSED) {
            refusals.add("Files of the patch behind these were not looked at.");
        }
        if (!refusals.isEmpty()) {
            throw unchanged(joined(refusals));
        }
        return files;
    }

    private static String joined(List<String> refusals) {
        String last = refusals.removeLast();
        StringBuilder all = new StringBuilder();
        for (String refusal : refusals) {
            boolean said = refusal.endsWith(UNCHANGED);
            int end = refusal.length() - (said ? UNCHANGED.length() : 0);
            all.append(refusal.substring(0, end).strip()).append("\n\n");
        }
        return all.append(last).toString();
    }

    private static Patch parsed(String text) throws ToolException {
        try {
            return PatchParser.parse(text);
        } catch (PatchException e) {
            throw unchanged(said(e));
        }
    }

    private static String said(Exception e) {
        return String.valueOf(e.getMessage());
    }

    private static ToolException unchanged(String why) {
        boolean said = why.contains(UNCHANGED) || why.contains("Nothing was written.");
        String gap = why.contains("\n") ? "\n" : " "; // not on a line of the file
        return ToolException.error(said ? why : why.stripTrailing() + gap + UNCHANGED);
    }
}
