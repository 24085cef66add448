package dev.agentloop.llm;

import dev.agentloop.json.Json;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.Usage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the pieces of one reply in their order and tells the listener of them. A character whose
 * two halves come in two pieces is reported whole.
 */
public final class ReplyBuilder {
    private static final int CHARS_PER_TOKEN = 4; // rough for English and code; marked as estimate

    private final LlmListener listener;
    private final CallIds ids;
    private final List<Part> parts = new ArrayList<>();
    private @Nullable Part open;
    private boolean compacted;

    public ReplyBuilder(LlmListener listener, CallIds ids) {
        this.listener = listener;
        this.ids = ids;
    }

    /** Appends a piece of the answer's text, as the stream brings it. */
    public void text(String delta) {
        add(Kind.TEXT, delta);
    }

    /** Appends a piece of the model's reasoning, as the stream brings it. */
    public void reasoning(String delta) {
        add(Kind.REASONING, delta);
    }

    /** Ends the running reasoning; {@code provenance} is the provider's own form of it. */
    public void endReasoning(String provenance) {
        if (open == null || open.kind != Kind.REASONING) {
            begin(Kind.REASONING);
        }
        if (open != null) {
            open.provenance = provenance;
        }
        endBlock();
    }

    /** Begins a block of text that other blocks may interrupt. */
    public Passage passage() {
        return new Passage(Kind.TEXT);
    }

    /** Begins a block of reasoning that other blocks may interrupt. */
    public Passage thought() {
        return new Passage(Kind.REASONING);
    }

    /** What follows belongs to a new block. */
    public void endBlock() {
        flush();
        open = null;
    }

    /** Begins a tool call; its arguments may come interleaved with those of others. */
    public Call call() {
        endBlock();
        Part part = new Part(Kind.CALL);
        parts.add(part);
        return new Call(part);
    }

    /** The provider has summed up what was said before; the summary is a part of the reply. */
    public void compacted() {
        compacted = true;
    }

    /** Tells the listener something that a person should know. */
    public void warning(String message) {
        listener.warning(message);
    }

    public String text() {
        StringBuilder all = new StringBuilder();
        for (Part part : parts) {
            if (part.kind == Kind.TEXT) {
                all.append(part.text);
            }
        }
        return Json.wellFormed(all.toString());
    }

    public boolean hasCalls() {
        return parts.stream().anyMatch(part -> part.kind == Kind.CALL);
    }

    /** Why the reply ended, judged by what is in it. */
    public FinishReason natural() {
        return hasCalls() ? FinishReason.TOOL_USE : FinishReason.END_TURN;
    }

    /** The same where the provider gave a reason that we do not know; a person is told. */
    public FinishReason natural(String unknown) {
        warning("unknown finish reason '" + unknown + "', taken for the end");
        return natural();
    }

    /**
     * The whole reply.
     *
     * @param reported usage as the provider told; null if it did not
     * @param requestBytes size of the request, for an estimate
     */
    public LlmResponse build(
            FinishReason finish, @Nullable Usage reported, String requestId, long requestBytes) {
        flush();
        List<Block> blocks = new ArrayList<>();
        Set<String> cut = new HashSet<>();
        for (Part part : parts) {
            if (part.isEmpty()) {
                continue;
            }
            String text = Json.wellFormed(part.text.toString());
            switch (part.kind) {
                case TEXT -> blocks.add(new Block.Text(text));
                case REASONING -> blocks.add(new Block.Reasoning(text, part.provenance));
                case CALL -> {
                    ToolCall call = new ToolCall(ids.unique(part.id), part.name.toString(), text);
                    blocks.add(new Block.Call(call));
                    if (finish == FinishReason.MAX_TOKENS && !SafeCall.isWhole(text)) {
                        cut.add(call.id());
                    }
                }
            }
        }
        Usage usage = plausible(reported, requestBytes / CHARS_PER_TOKEN);
        return new LlmResponse(
                new Message.Assistant(blocks), finish, usage, cut, requestId, compacted);
    }

    /**
     * What has come of a reply that will never be whole.
     *
     * @param reported usage as the provider told so far; null if it did not
     */
    public PartialReply partial(@Nullable Usage reported) {
        Usage said = reported == null ? Usage.NONE : reported;
        long output = Math.max(said.output(), outputTokens());
        Usage usage =
                new Usage(
                        said.input(),
                        output,
                        said.cacheRead(),
                        said.cacheWrite(),
                        said.reasoning(),
                        true); // it may have thought on before it broke off
        return new PartialReply(text(), usage, usage.total() > 0, 0);
    }

    private long characters() {
        long chars = 0;
        for (Part part : parts) {
            chars += part.name.length() + part.text.length();
        }
        return chars;
    }

    private long outputTokens() {
        return (characters() + CHARS_PER_TOKEN - 1) / CHARS_PER_TOKEN;
    }

    /** Usage where nothing is missing: a count of 0 that cannot be true is estimated. */
    private Usage plausible(@Nullable Usage reported, long promptTokens) {
        long outputTokens = outputTokens();
        Usage said = reported == null ? Usage.NONE : reported;
        boolean noPrompt = said.prompt() == 0;
        boolean noOutput = said.output() == 0 && outputTokens > 0;
        return new Usage(
                noPrompt ? promptTokens : said.input(),
                noOutput ? outputTokens : said.output(),
                said.cacheRead(),
                said.cacheWrite(),
                said.reasoning(),
                said.estimated() || noPrompt || noOutput);
    }

    private void add(Kind kind, String delta) {
        if (delta.isEmpty()) {
            return;
        }
        if (open == null || open.kind != kind) {
            endBlock();
            begin(kind);
        }
        if (open != null) {
            open.text.append(delta);
            report(open, true);
        }
    }

    private void begin(Kind kind) {
        open = new Part(kind);
        parts.add(open);
    }

    private void flush() {
        if (open != null) {
            report(open, false);
        }
    }

    private void report(Part part, boolean moreMayCome) {
        int end = part.text.length();
        if (moreMayCome && Character.isHighSurrogate(part.text.charAt(end - 1))) {
            end--;
        }
        if (end <= part.reported) {
            return;
        }
        String news = Json.wellFormed(part.text.substring(part.reported, end));
        part.reported = end;
        if (part.kind == Kind.TEXT) {
            listener.text(news);
        } else {
            listener.thinking(news);
        }
    }

    private enum Kind {
        TEXT,
        REASONING,
        CALL
    }

    private static final class Part {
        private final Kind kind;
        private final StringBuilder text = new StringBuilder();
        private final StringBuilder name = new StringBuilder();
        private String id = "";
        private String provenance = "";
        private int reported;

        Part(Kind kind) {
            this.kind = kind;
        }

        boolean isEmpty() {
            return text.isEmpty() && name.isEmpty() && provenance.isEmpty();
        }
    }

    /** Text or reasoning that is being received. */
    public final class Passage {
        private final Part part;

        private Passage(Kind kind) {
            endBlock();
            part = new Part(kind);
            parts.add(part);
        }

        /** Appends a piece of this block, as the stream brings it. */
        public void text(String delta) {
            if (!delta.isEmpty()) {
                part.text.append(delta);
                report(part, true);
            }
        }

        /** All of it; what has been reported cannot be taken back. */
        public void correct(String whole) {
            if (whole.startsWith(part.text.toString())) {
                text(whole.substring(part.text.length()));
                return;
            }
            part.text.setLength(0);
            part.text.append(whole);
            part.reported = whole.length();
            warning("the server's whole text differs from the pieces that it sent before");
        }

        /** Nothing follows; {@code provenance} is the provider's own form of it. */
        public void end(String provenance) {
            part.provenance = provenance;
            report(part, false);
        }
    }

    /** A tool call that is being received. */
    public static final class Call {
        private final Part part;

        private Call(Part part) {
            this.part = part;
        }

        /** The provider's id; the first that is not empty stays. */
        public void id(String id) {
            if (part.id.isEmpty()) {
                part.id = id;
            }
        }

        public String id() {
            return part.id;
        }

        /** The name or a piece of it; some servers repeat the whole name in each piece. */
        public void name(String piece) {
            if (!part.name.toString().equals(piece)) {
                part.name.append(piece);
            }
        }

        public boolean hasName() {
            return !part.name.isEmpty();
        }

        /** More of the arguments. */
        public void arguments(String delta) {
            part.text.append(delta);
        }

        /** All of the arguments, in place of what has come. */
        public void correct(String arguments) {
            part.text.setLength(0);
            part.text.append(arguments);
        }

        public boolean hasArguments() {
            return !part.text.isEmpty();
        }

        /** The arguments so far. */
        public String arguments() {
            return part.text.toString();
        }
    }
}
