package dev.agentloop.tool.builtin.file;

import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolResult;
import dev.agentloop.storage.HeldFolder;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Touch;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.file.AtomicFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives a file or a link another name. Nothing is ever overwritten. Folders are refused: rules for
 * paths could not follow what they hold.
 */
public final class MoveFileTool extends BuiltInTool<MoveFileTool.Args> {
    public MoveFileTool() {
        super("move_file", Effect.FILE, Args.class);
    }

    /** The path that the file has, and the one that it gets, as the model names them. */
    public record Args(String sourcePath, String destinationPath) {}

    @Override
    public String subject(Args args) {
        return args.sourcePath();
    }

    @Override
    public List<String> subjects(Args args) {
        return paths(args);
    }

    /** The destination may be a folder that the file goes into, so both names must be allowed. */
    @Override
    public List<String> paths(Args args) {
        List<String> paths = new ArrayList<>(List.of(args.sourcePath(), args.destinationPath()));
        try {
            Path name = Path.of(args.sourcePath()).normalize().getFileName();
            if (name != null && !args.destinationPath().isEmpty()) {
                paths.add(Path.of(args.destinationPath()).resolve(name).toString());
            }
        } catch (InvalidPathException e) {
            return paths; // is refused when the paths are looked at
        }
        return paths;
    }

    @Override
    public boolean followsLinks() {
        return false;
    }

    @Override
    public List<String> alsoDoes() {
        return List.of("read_file", "edit_file", "write_file", "delete_file");
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
        Workspace workspace = context.workspace();
        Path from = workspace.resolveName(args.sourcePath());
        requireMovable(workspace, from, args.sourcePath());
        Path to = destination(args.destinationPath(), from, workspace);
        ProtectedFolders.refuse(workspace, to);
        context.intent().await(List.of(new Touch.Moved(from, to)));
        move(from, to, workspace);
        context.seen().moved(from, to);
        return ToolResult.ok("Moved " + workspace.show(from) + " to " + workspace.show(to) + ".")
                .withChanges(
                        List.of(new FileChange(workspace.show(to), FileChange.Kind.MOVED, 0, 0)));
    }

    private static void requireMovable(Workspace workspace, Path from, String asked)
            throws IOException, ToolException {
        ProtectedFolders.refuse(workspace, from);
        if (Files.isDirectory(from, LinkOption.NOFOLLOW_LINKS)) {
            throw ToolException.error(
                    workspace.show(from)
                            + " is a directory. Move its files one by one, or use run_command.");
        }
        if (!Files.isSymbolicLink(from)) {
            FileKind.requireFile(workspace, from, asked);
        }
    }

    /** The new name. A folder that is missing is an error, not a new name for the file. */
    private static Path destination(String asked, Path from, Workspace workspace)
            throws ToolException {
        Path named = workspace.resolveName(asked);
        ProtectedFolders.refuse(workspace, named);
        Path real = workspace.resolve(asked);
        boolean into = Files.isDirectory(real);
        if (asked.endsWith("/") && !into) {
            throw ToolException.error(
                    "There is no folder " + workspace.show(real) + ". Nothing was moved.");
        }
        Path to = into ? real.resolve(String.valueOf(from.getFileName())) : named;
        if (to.equals(from)) {
            throw ToolException.error("It has this name already. Nothing was moved.");
        }
        if (Files.exists(to, LinkOption.NOFOLLOW_LINKS)) {
            throw taken(to, workspace);
        }
        Path folder = to.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw ToolException.error(
                    "There is no folder %s to move it into. Nothing was moved. Create it first."
                            .formatted(folder == null ? asked : workspace.show(folder)));
        }
        return to;
    }

    private static ToolException taken(Path to, Workspace workspace) {
        return ToolException.error(
                workspace.show(to)
                        + " exists already and is not overwritten. Nothing was moved. Choose another"
                        + " name, or delete it first.");
    }

    private static void move(Path from, Path to, Workspace workspace)
            throws IOException, ToolException {
        try (HeldFolder folder = HeldFolder.of(workspace.roots(), from);
                HeldFolder other = HeldFolder.of(workspace.roots(), to)) {
            if (other.has(to)) {
                throw taken(to, workspace);
            }
            moveOrCopy(folder, from, other, to);
        } catch (FileAlreadyExistsException e) {
            throw taken(to, workspace);
        } catch (FileSystemException e) {
            throw AtomicFile.about(e.getOtherFile() == null ? from : to, e);
        }
    }

    /** Another file system may be mounted in the workspace; a file can be carried there. */
    private static void moveOrCopy(HeldFolder folder, Path from, HeldFolder other, Path to)
            throws IOException {
        try {
            folder.move(from, other, to);
        } catch (FileSystemException e) {
            String reason = String.valueOf(e.getReason());
            if (!reason.contains("cross-device") || !folder.attributes(from).isRegularFile()) {
                throw e;
            }
            copy(folder, from, other, to);
            folder.delete(from);
        }
    }

    private static void copy(HeldFolder folder, Path from, HeldFolder other, Path to)
            throws IOException {
        PosixFileAttributes old = folder.posix(from).readAttributes();
        try (InputStream in = folder.read(from);
                OutputStream out = Channels.newOutputStream(other.create(to, old.permissions()))) {
            in.transferTo(out);
        } catch (IOException e) {
            other.delete(to);
            throw e;
        }
    }
}
