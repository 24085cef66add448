package dev.agentloop.tool.builtin.file;

import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Shows an image of the workspace to a model that sees. {@code read_file} does the same, so no
 * request declares this tool: it answers models that were trained with one of this name.
 */
public final class ViewImageTool extends BuiltInTool<ViewImageTool.Args> {
    private final ImageView view;

    /**
     * @param seen whether the model sees
     */
    public ViewImageTool(boolean seen) {
        super("view_image", Effect.PURE, Args.class);
        this.view = new ImageView(seen);
    }

    /** The image to show, as the model names it. */
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
    public boolean isOffered() {
        return false;
    }

    @Override
    public List<String> alsoDoes() {
        return List.of("read_file");
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
        Path file = context.workspace().resolveReadable(args.filePath());
        FileKind.requireFile(context.workspace(), file, args.filePath());
        String shown = context.workspace().show(file);
        byte[] bytes = FileWriting.head(file, context);
        return view.of(shown, bytes)
                .orElseThrow(() ->
                        ToolException.error(
                                shown
                                        + " is no PNG, JPEG, GIF or WebP image. Use read_file for"
                                        + " text, or convert it with run_command."));
    }
}
