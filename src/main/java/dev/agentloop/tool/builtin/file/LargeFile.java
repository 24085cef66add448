package dev.agentloop.tool.builtin.file;

import dev.agentloop.control.Cancellation;
import dev.agentloop.edit.TextEncoding;
import dev.agentloop.message.ToolResult;
import dev.agentloop.storage.HeldFolder;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Reads a page out of a file that is too large to be held in memory. */
final class LargeFile {
    private static final int CHUNK = 64 * 1024;

    private final int first;
    private final int end;
    private final int room; // bytes; a character has at least one
    private final ByteArrayOutputStream page = new ByteArrayOutputStream();
    private int line = 1;
    private boolean cut;
    private boolean ended;

    private LargeFile(ReadFileTool.Args args, int room) {
        this.room = room;
        this.first = args.first();
        this.end = args.first() + args.count();
    }

    static ToolResult page(Path file, String shown, ReadFileTool.Args args, ToolContext context)
            throws IOException, ToolException {
        LargeFile reading = new LargeFile(args, ReadFileTool.room(context));
        byte[] head;
        try (HeldFolder folder = HeldFolder.of(context.workspace().roots(), file);
                InputStream in = new BufferedInputStream(folder.read(file), CHUNK)) {
            in.mark(CHUNK);
            head = in.readNBytes(CHUNK / 2);
            in.reset();
            if (!isBinary(head)) {
                reading.read(in, context.cancellation());
            }
        }
        if (isBinary(head)) {
            return ToolResult.ok(ReadFileTool.binary(shown, Files.size(file), head));
        }
        return reading.result(shown, Files.size(file));
    }

    private static boolean isBinary(byte[] head) {
        byte[] sniffed = Arrays.copyOf(head, Math.min(head.length, 8 * 1024));
        return TextEncoding.decode(sniffed).isEmpty();
    }

    private void read(InputStream in, Cancellation cancellation) throws IOException {
        byte[] chunk = new byte[CHUNK];
        for (int n = in.read(chunk); n > 0; n = in.read(chunk)) {
            for (int i = 0; i < n; i++) {
                if (!add(chunk[i])) {
                    return;
                }
            }
            if (cancellation.isCancelled()) {
                cut = true;
                return;
            }
        }
        ended = true;
    }

    private boolean add(byte b) {
        if (line >= first) {
            if (page.size() == room) {
                cut = true;
                return false;
            }
            page.write(b);
        }
        if (b == '\n') {
            line++;
        }
        return line < end;
    }

    private ToolResult result(String shown, long size) throws ToolException {
        if (page.size() == 0) {
            throw ToolException.error(
                    "%s has only %d lines; offset %d is beyond its end."
                            .formatted(shown, line, first));
        }
        Optional<TextEncoding.Decoded> decoded = decoded();
        if (decoded.isEmpty()) {
            throw ToolException.error(
                    "%s has binary content between lines %d and %d.".formatted(shown, first, line));
        }
        boolean cutLine = cut && line == first;
        String all = decoded.get().text();
        String whole = cut && !cutLine ? all.substring(0, all.lastIndexOf('\n') + 1) : all;
        String text = whole.replace("\r\n", "\n");
        String header = "[lines " + first + "-" + last(text) + " of a file of " + size + " bytes";
        header += cutLine ? "; line %d is cut after column %d".formatted(line, text.length()) : "";
        header += ended ? "; this is its end" : "; continue with offset " + next();
        return ToolResult.ok("").withText(header + "]\n" + text, !ended);
    }

    private int last(String text) {
        return text.endsWith("\n") ? line - 1 : line;
    }

    /** A line that fills a page alone cannot be had whole; going on must not show it again. */
    private int next() {
        return cut && line == first ? line + 1 : line;
    }

    /** The end may be in the middle of a character; up to three bytes of it are dropped. */
    private Optional<TextEncoding.Decoded> decoded() {
        byte[] bytes = page.toByteArray();
        for (int dropped = 0; dropped <= 3 && dropped < bytes.length; dropped++) {
            Optional<TextEncoding.Decoded> decoded =
                    TextEncoding.decode(Arrays.copyOf(bytes, bytes.length - dropped));
            if (decoded.filter(d -> d.encoding() == TextEncoding.UTF_8).isPresent()) {
                return decoded;
            }
        }
        return TextEncoding.decode(bytes);
    }
}
