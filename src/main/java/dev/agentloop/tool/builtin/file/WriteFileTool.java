package dev.agentloop.tool.builtin.file;

import dev.agentloop.edit.LineDiff;
import dev.agentloop.edit.TextEncoding;
import dev.agentloop.edit.TextFile;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.file.AtomicFile;
import dev.agentloop.tool.file.FileTransaction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates, replaces or extends a file; what is on disk is always the old or the new content. */
public final class WriteFileTool extends BuiltInTool<WriteFileTool.Args> {
    public WriteFileTool() {
        super("write_file", Effect.FILE, Args.class);
    }

    /** The file to write, and its whole new content. */
    public record Args(
            String filePath,
            String content,
            @Doc(
                            value = "",
                            optional = true,
                            oneOf = {"overwrite", "append"})
                    @Nullable String mode) {
        boolean appends() {
            return "append".equals(mode);
        }
    }

    @Override
    public List<String> newTexts(Args args) {
        return List.of(args.content());
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
        ProtectedFolders.refuse(context.workspace(), file);
        FileKind.refuseSpecial(context.workspace(), file);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return create(file, args, context);
        }
        byte[] old = FileWriting.content(file, context);
        if (!args.appends()) {
            FileWriting.refuseStale(file, old, context);
        }
        byte[] content = args.appends() ? appended(old, args) : utf8(args.content());
        return replace(file, old, content, context);
    }

    private static ToolResult create(Path file, Args args, ToolContext context)
            throws IOException, ToolException {
        refuseUnexpanded(args.filePath());
        refuseBelowFile(file, context);
        byte[] content = utf8(args.content());
        FileTransaction creation = // with its folders, or none of them
                new FileTransaction(context.workspace().roots());
        creation.write(file, content, file, -1);
        creation.commit(context.intent());
        context.seen().saw(file, content);
        LineDiff lines = LineDiff.ofNew(args.content());
        return result("Created", file, lines, content.length, context);
    }

    /** Before anybody is asked about it. */
    private static void refuseBelowFile(Path file, ToolContext context) throws ToolException {
        for (Path above = file.getParent(); above != null; above = above.getParent()) {
            if (Files.exists(above)) {
                if (!Files.isDirectory(above)) {
                    throw ToolException.error(
                            "A file is in the way: "
                                    + context.workspace().show(above)
                                    + " is no folder. Nothing was written.");
                }
                return;
            }
        }
    }

    private static ToolResult replace(Path file, byte[] old, byte[] content, ToolContext context)
            throws IOException, ToolException {
        if (Arrays.equals(old, content)) {
            return ToolResult.ok(
                    context.workspace().show(file) + " already has this content; not written.");
        }
        AtomicFile.write(context.workspace().roots(), file, content, context.intent());
        Optional<String> seen = context.seen().seen(file);
        if (seen.isEmpty() || seen.get().equals(SeenFiles.fingerprint(old))) {
            context.seen().saw(file, content);
        }
        LineDiff lines = LineDiff.between(text(old), text(content));
        return result("Wrote", file, lines, content.length, context);
    }

    private static ToolResult result(
            String verb, Path file, LineDiff lines, int bytes, ToolContext context) {
        String shown = context.workspace().show(file);
        FileChange.Kind kind =
                verb.equals("Created") ? FileChange.Kind.ADDED : FileChange.Kind.MODIFIED;
        return ToolResult.ok(verb + " " + shown + ": " + bytes + " bytes, " + lines + " lines.")
                .withChanges(List.of(new FileChange(shown, kind, lines.added(), lines.removed())));
    }

    /** A file keeps one encoding, so what is added is written in that of the file. */
    private static byte[] appended(byte[] old, Args args) throws ToolException {
        TextFile file =
                TextFile.of(old)
                        .orElseThrow(() ->
                                ToolException.error(args.filePath() + " is binary; not appended."));
        byte[] more =
                file.encoding()
                        .encode(args.content())
                        .orElseThrow(() ->
                                ToolException.error(
                                        ("The file's encoding, %s, cannot express this"
                                                        + " text. Nothing was written.")
                                                .formatted(file.encoding().label())));
        ByteArrayOutputStream all = new ByteArrayOutputStream(old.length + more.length);
        all.writeBytes(old);
        all.writeBytes(more);
        return all.toByteArray();
    }

    private static byte[] utf8(String content) throws ToolException {
        return TextEncoding.UTF_8
                .encode(content)
                .orElseThrow(() ->
                        ToolException.error(
                                "The content has half a surrogate pair, which is no"
                                        + " character. Nothing was written."));
    }

    /** A folder named ~ is a trap for the next rm -rf. */
    private static void refuseUnexpanded(String path) throws ToolException {
        if (path.startsWith("~") || path.startsWith("$") || path.startsWith("file:")) {
            throw ToolException.error(
                    ("%s is taken literally: ~, $ and file: are not expanded. Give a path relative"
                                    + " to the workspace root.")
                            .formatted(path));
        }
    }

    private static String text(byte[] content) {
        return TextFile.of(content).map(TextFile::text).orElse("");
    }
}
