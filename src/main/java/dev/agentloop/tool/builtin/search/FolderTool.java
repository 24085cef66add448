package dev.agentloop.tool.builtin.search;

import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.builtin.file.FileKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tool that looks into one folder.
 *
 * @param <A> its arguments
 */
abstract class FolderTool<A extends Record & FolderTool.InFolder> extends BuiltInTool<A> {
    FolderTool(String name, Class<A> argumentType) {
        super(name, Effect.PURE, argumentType);
    }

    /** Arguments that may name a folder. */
    interface InFolder {
        /** As the model wrote it; null: the root of the workspace. */
        @Nullable String path();

        default String folder() {
            String path = path();
            return path == null ? "." : path;
        }
    }

    @Override
    public String subject(A args) {
        return args.folder();
    }

    @Override
    public List<String> paths(A args) {
        return List.of(args.folder());
    }

    /** The folder, which is there and may be read. */
    static Path folder(InFolder args, ToolContext context) throws IOException, ToolException {
        Path folder = context.workspace().resolveReadable(args.folder());
        FileKind.requireFolder(context.workspace(), folder, args.folder());
        return folder;
    }
}
