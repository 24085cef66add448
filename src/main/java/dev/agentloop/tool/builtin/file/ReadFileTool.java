package dev.agentloop.tool.builtin.file;

import dev.agentloop.edit.LineEnds;
import dev.agentloop.edit.TextEncoding;
import dev.agentloop.edit.TextFile;
import dev.agentloop.message.ToolResult;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Shows a text file, or a page of it, as it is: no line numbers, they cost tokens and confuse
 * edits. Of a PDF it shows the text, of a notebook the cells, and images to models that see.
 */
public final class ReadFileTool extends BuiltInTool<ReadFileTool.Args> {
    static final int MAX_LINES = 2_000; // of one call
    private static final int FOR_NOTES = 300; // characters, of what stands above the lines

    private final ImageView images;
    private final PdfText pdf;

    /**
     * @param seesImages whether the model does
     * @param runner starts what reads PDF
     */
    public ReadFileTool(boolean seesImages, ProcessRunner runner) {
        super("read_file", Effect.PURE, Args.class);
        this.images = new ImageView(seesImages);
        this.pdf = new PdfText(runner);
    }

    /** Which file, and which lines of it. */
    public record Args(String filePath, @Nullable Integer offset, @Nullable Integer limit) {
        public Args {
            if (offset != null && offset < 1) {
                throw new IllegalArgumentException("offset counts lines from 1");
            }
            if (limit != null && limit < 1) {
                throw new IllegalArgumentException("limit must be at least 1");
            }
        }

        int first() {
            return offset == null ? 1 : offset;
        }

        int count() {
            return limit == null ? MAX_LINES : Math.min(limit, MAX_LINES);
        }
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
        Path file = context.workspace().resolveReadable(args.filePath());
        FileKind.requireFile(context.workspace(), file, args.filePath());
        String shown = context.workspace().show(file);
        byte[] bytes = FileWriting.head(file, context);
        if (bytes.length > FileWriting.MAX_BYTES) {
            return LargeFile.page(file, shown, args, context);
        }
        Optional<TextFile> text = TextFile.of(bytes);
        if (text.isEmpty()) {
            return notText(file, shown, bytes, args, context);
        }
        context.seen().saw(file, bytes);
        Optional<List<String>> cells =
                shown.endsWith(".ipynb") ? Notebook.lines(text.get().text()) : Optional.empty();
        return cells.isPresent()
                ? new Page(notBeyond(shown, cells.get(), args), args, context).with(Notebook.NOTE)
                : page(shown, text.get(), args, context);
    }

    private ToolResult notText(
            Path file, String shown, byte[] bytes, Args args, ToolContext context)
            throws IOException, ToolException {
        Optional<ToolResult> image = images.of(shown, bytes);
        if (image.isPresent()) {
            return image.get();
        }
        if (PdfText.isPdf(bytes)) {
            List<String> lines = notBeyond(shown, pdf.lines(file, shown, context), args);
            return new Page(lines, args, context).with(PdfText.NOTE);
        }
        return ToolResult.ok(binary(shown, bytes.length, bytes));
    }

    static String binary(String shown, long length, byte[] head) {
        return "%s is binary, %d bytes, %s. Its content is not shown."
                .formatted(shown, length, FileKind.binaryType(head));
    }

    private static ToolResult page(String shown, TextFile file, Args args, ToolContext context)
            throws ToolException {
        List<String> lines = LineEnds.lines(file.text());
        if (lines.isEmpty()) {
            return ToolResult.ok(shown + " is empty.");
        }
        TextEncoding encoding = file.encoding();
        return new Page(notBeyond(shown, lines, args), args, context)
                .with(encoding == TextEncoding.UTF_8 ? "" : "encoding " + encoding.label());
    }

    private static List<String> notBeyond(String shown, List<String> lines, Args args)
            throws ToolException {
        if (args.first() > lines.size()) {
            throw ToolException.error(
                    "%s has only %d lines; offset %d is beyond its end."
                            .formatted(shown, lines.size(), args.first()));
        }
        return lines;
    }

    /** Characters of lines that fit into a result. */
    static int room(ToolContext context) {
        return context.resultChars() - FOR_NOTES;
    }

    /** Whole lines from the wanted one on, as many as a result may have. */
    private record Page(List<String> lines, Args args, int room) {
        Page(List<String> lines, Args args, ToolContext context) {
            this(lines, args, ReadFileTool.room(context));
        }

        /**
         * @param note about what is shown; may be empty
         */
        ToolResult with(String note) {
            StringBuilder text = new StringBuilder();
            int last = args.first() - 1;
            int end = Math.min(lines.size(), last + args.count());
            while (last < end && (text.isEmpty() || fits(text, lines.get(last)))) {
                text.append(lines.get(last)).append('\n');
                last++;
            }
            boolean cut = text.length() > room + 1;
            List<String> notes = new ArrayList<>();
            if (args.first() > 1 || last < lines.size()) {
                notes.add("lines %d-%d of %d".formatted(args.first(), last, lines.size()));
            }
            if (cut) {
                notes.add(cutLine(text, last));
            }
            if (last < lines.size()) {
                notes.add("continue with offset " + (last + 1));
            }
            if (!note.isEmpty()) {
                notes.add(note);
            }
            String header = notes.isEmpty() ? "" : "[" + String.join("; ", notes) + "]\n";
            return ToolResult.ok("").withText(header + text, cut || last < lines.size());
        }

        private boolean fits(StringBuilder text, String line) {
            return text.length() + line.length() < room;
        }

        /** One line alone is more than a result may have. */
        private String cutLine(StringBuilder text, int number) {
            int length = text.length() - 1;
            int end = Character.isHighSurrogate(text.charAt(room - 1)) ? room - 1 : room;
            text.setLength(end);
            return "line %d is cut after column %d of %d; grep finds what is beyond"
                    .formatted(number, end, length);
        }
    }
}
