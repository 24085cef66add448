package dev.agentloop.tool.builtin.file;

import dev.agentloop.edit.LineDiff;
import dev.agentloop.edit.TextFile;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolResult;
import dev.agentloop.storage.HeldFolder;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Touch;
import dev.agentloop.tool.file.FileTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** Deletes one file, or a symbolic link but not what it leads to. */
public final class DeleteFileTool extends BuiltInTool<DeleteFileTool.Args> {
    public DeleteFileTool() {
        super("delete_file", Effect.FILE, Args.class);
    }

    /** The file or link to delete, as the model names it. */
    public record Args(String filePath) {}

    @Override
    public String subject(Args args) {
        return args.filePath();
    }

    @Override
    public List<String> paths(Args args) {
        return List.of(args.filePath());
    }

    @Override
    public boolean followsLinks() {
        return false;
    }

    @Override
    public List<String> alsoDoes() {
        return List.of("edit_file", "write_file");
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
        Path file = context.workspace().resolveName(args.filePath());
        ProtectedFolders.refuse(context.workspace(), file);
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            throw ToolException.error(
                    context.workspace().show(file)
                            + " is a directory. Delete its files one by one, or use run_command.");
        }
        return Files.isSymbolicLink(file) ? unlink(file, context) : delete(file, args, context);
    }

    private static ToolResult unlink(Path link, ToolContext context)
            throws IOException, ToolException {
        Path target = Files.readSymbolicLink(link);
        context.intent().await(List.of(new Touch.Content(link, null)));
        try (HeldFolder folder = HeldFolder.of(context.workspace().roots(), link)) {
            if (!folder.attributes(link).isSymbolicLink()) {
                throw ToolException.error("It is no link any more. Nothing was deleted.");
            }
            folder.delete(link);
        }
        String shown = context.workspace().show(link);
        return ToolResult.ok("Deleted the symbolic link " + shown + " (it led to " + target + ").")
                .withChanges(List.of(new FileChange(shown, FileChange.Kind.DELETED, 0, 0)));
    }

    private static ToolResult delete(Path file, Args args, ToolContext context)
            throws IOException, ToolException {
        FileKind.requireFile(context.workspace(), file, args.filePath());
        byte[] content = FileWriting.content(file, context);
        FileWriting.refuseStale(file, content, context);
        int lines = TextFile.of(content).map(text -> LineDiff.ofNew(text.text()).added()).orElse(0);
        FileTransaction deletion = new FileTransaction(context.workspace().roots());
        deletion.delete(file);
        deletion.commit(context.intent());
        context.seen().forget(file);
        String shown = context.workspace().show(file);
        return ToolResult.ok("Deleted " + shown + ": " + content.length + " bytes.")
                .withChanges(List.of(new FileChange(shown, FileChange.Kind.DELETED, 0, lines)));
    }
}
