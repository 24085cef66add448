package dev.agentloop.llm.provider;

import dev.agentloop.llm.Generation;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.provider.Dialect.Frame;
import dev.agentloop.message.Message;
import dev.agentloop.tool.ToolSpec;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the requests of a run into bytes. Each message is serialised once, when it is first seen; a
 * request that begins with the same message objects as the one before only appends. So a step costs
 * its new messages, and each request repeats the bytes of the one before: what prompt caches need.
 */
public final class WireRequests {
    /** The state before a message, to go back to when the history is rewritten from there. */
    private record Before(Message message, int length, @Nullable Frame frame, int mark) {}

    /** What the head was made of; compared by identity, record equality costs 12 ms at start. */
    private record HeadOf(
            List<ToolSpec> tools,
            int maxOutputTokens,
            boolean stream,
            Generation generation,
            @Nullable Message system) {
        boolean isSame(@Nullable HeadOf other) {
            return other != null
                    && tools == other.tools
                    && maxOutputTokens == other.maxOutputTokens
                    && stream == other.stream
                    && generation == other.generation
                    && system == other.system;
        }
    }

    private static final int NO_MARK = -1;

    private final Dialect dialect;
    private final Kept kept = new Kept();
    private final ResultImages images = new ResultImages();
    private final List<Before> messages = new ArrayList<>();
    private @Nullable Frame frame;
    private int mark = NO_MARK;
    private int sentMark = NO_MARK;
    private int olderMark = NO_MARK;
    private @Nullable HeadOf headOf;
    private byte[] head = Dialect.NOTHING;

    public WireRequests(Dialect dialect) {
        this.dialect = dialect;
    }

    /** The bytes of a request; valid until the next call of this method. */
    public RequestBytes of(LlmRequest request) {
        Message system = systemOf(request);
        List<Message> history = request.messages();
        update(
                dialect.resultsCarryImages() ? history : images.apart(history),
                system == null ? 0 : 1);
        List<RequestBytes.Piece> pieces = new ArrayList<>();
        pieces.add(new RequestBytes.Piece(headOf(request, system)));
        addMessages(pieces);
        String close = frame == null ? "" : frame.close();
        pieces.add(new RequestBytes.Piece(utf8(close)));
        pieces.add(new RequestBytes.Piece(dialect.tail(request)));
        return new RequestBytes(pieces);
    }

    private void addMessages(List<RequestBytes.Piece> pieces) {
        byte[] bytes = kept.array();
        int written = 0;
        if (dialect.cacheMark().length > 0) {
            if (mark != sentMark) { // not so for another attempt of the same request
                olderMark = sentMark;
                sentMark = mark;
            }
            // the mark of the request before stays: a step of many blocks may lie between the two
            for (int at : new int[] {olderMark, mark}) {
                if (at > written) {
                    pieces.add(new RequestBytes.Piece(bytes, written, at - written));
                    pieces.add(new RequestBytes.Piece(dialect.cacheMark()));
                    written = at;
                }
            }
        }
        pieces.add(new RequestBytes.Piece(bytes, written, kept.size() - written));
    }

    private @Nullable Message systemOf(LlmRequest request) {
        boolean has = !request.messages().isEmpty() && dialect.systemInHead();
        return has && request.messages().getFirst() instanceof Message.System system
                ? system
                : null;
    }

    private byte[] headOf(LlmRequest request, @Nullable Message system) {
        HeadOf now =
                new HeadOf(
                        request.tools(),
                        request.maxOutputTokens(),
                        request.stream(),
                        request.generation(),
                        system);
        if (!now.isSame(headOf)) {
            head = dialect.head(request);
            headOf = now;
        }
        return head;
    }

    private void update(List<Message> history, int from) {
        int same = 0;
        int count = history.size() - from;
        while (same < count
                && same < messages.size()
                && messages.get(same).message() == history.get(from + same)) {
            same++;
        }
        goBackTo(same);
        for (int i = same; i < count; i++) {
            append(history.get(from + i));
        }
    }

    private void goBackTo(int count) {
        if (count == messages.size()) {
            return;
        }
        Before state = messages.get(count);
        kept.truncate(state.length());
        frame = state.frame();
        mark = state.mark();
        sentMark = Math.min(sentMark, mark);
        olderMark = Math.min(olderMark, mark);
        messages.subList(count, messages.size()).clear();
    }

    private void append(Message message) {
        messages.add(new Before(message, kept.size(), frame, mark));
        byte[] piece = dialect.piece(message);
        if (piece.length == 0) {
            return;
        }
        Frame next = dialect.frame(message);
        if (next == frame && next.joins()) {
            kept.writeBytes(utf8(next.between()));
        } else {
            kept.writeBytes(utf8(frame == null ? "" : frame.close() + ","));
            kept.writeBytes(utf8(next.open()));
            frame = next;
        }
        kept.writeBytes(piece);
        if (dialect.takesCacheMark(message)) {
            mark = kept.size() - 1;
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A growing array that can be read without a copy and cut back. */
    private static final class Kept extends ByteArrayOutputStream {
        Kept() {
            super(16_384);
        }

        byte[] array() {
            return buf;
        }

        void truncate(int length) {
            count = length;
        }
    }
}
