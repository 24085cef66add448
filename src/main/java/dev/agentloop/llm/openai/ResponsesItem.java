package dev.agentloop.llm.openai;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.ReplyBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One item of the output that is being received. */
abstract sealed class ResponsesItem {
    static final String MESSAGE = "message";
    static final String CALL = "function_call";
    static final String REASONING = "reasoning";
    static final String COMPACTION = "compaction";
    private static final String OURS = "{\"type\":\"reasoning\",";
    private static final String SUMMARY = "{\"type\":\"compaction\",";
    private static final String PHASE = "{\"type\":\"message\",\"phase\":";

    private final String type;
    private String id = "";
    private boolean done;

    private ResponsesItem(String type) {
        this.type = type;
    }

    /**
     * A new item; null for kinds that we neither show nor send back, such as calls of the
     * provider's own tools.
     */
    static @Nullable ResponsesItem of(String type, ReplyBuilder reply) {
        return switch (type) {
            case MESSAGE -> new Text(reply);
            case CALL -> new Call(reply);
            case REASONING -> new Reasoning(reply);
            case COMPACTION -> new Compaction(reply);
            default -> null;
        };
    }

    /** Whether {@code provenance} is an item that goes back as it came. */
    static boolean goesBack(String provenance) {
        return provenance.startsWith(OURS) || isSummary(provenance);
    }

    /** Whether it is the provider's summary of all that was said before. */
    static boolean isSummary(String provenance) {
        return provenance.startsWith(SUMMARY);
    }

    /**
     * The part that a text plays in its answer, as JSON, from the {@code provenance} of the block
     * before it; empty if the provider named none.
     */
    static String phase(String provenance) {
        return provenance.startsWith(PHASE)
                ? provenance.substring(PHASE.length(), provenance.length() - 1)
                : "";
    }

    final String type() {
        return type;
    }

    /** The server's id of the item; some make up a new one in each event. */
    final String id() {
        return id;
    }

    final boolean isDone() {
        return done;
    }

    /** What the item's first event tells; its content comes later. */
    void begin(JsonValue item) {
        id = item.at("id").text();
    }

    /** Takes a piece of the item as the stream brings it. */
    abstract void delta(JsonValue event);

    /** Takes a part of the item that the stream has ended. */
    abstract void part(JsonValue event);

    /** Takes the item as the provider says that it is, in the place of its pieces. */
    final void complete(JsonValue item) {
        done = true;
        take(item);
    }

    abstract void take(JsonValue item);

    /** Whether the model, or a filter of its provider, refused here. */
    boolean isRefusal() {
        return false;
    }

    /** As it came, its type first. */
    final String verbatim(JsonValue item) {
        return Json.text(json -> {
            json.writeStartObject();
            json.writeStringField("type", type);
            for (String key : item.keys()) {
                if (!key.equals("type")) {
                    json.writeFieldName(Json.wellFormed(key));
                    item.at(key).writeTo(json);
                }
            }
            json.writeEndObject();
        });
    }

    private static List<String> texts(JsonValue parts) {
        List<String> texts = new ArrayList<>();
        for (JsonValue part : parts.items()) {
            texts.add(part.at("text").textOr(part.at("refusal").text()));
        }
        return texts;
    }

    private static final class Text extends ResponsesItem {
        private final ReplyBuilder.Passage before;
        private final ReplyBuilder.Passage passage;
        private final PartText text;
        private boolean refused;

        Text(ReplyBuilder reply) {
            super(MESSAGE);
            before = reply.thought(); // text has no place for what goes back with it
            passage = reply.passage();
            text = new PartText(passage::text, "");
        }

        @Override
        void begin(JsonValue item) {
            super.begin(item);
            phase(item);
        }

        private void phase(JsonValue item) {
            JsonValue phase = item.at("phase");
            if (phase.isText()) {
                before.end(PHASE + Json.text(phase::writeTo) + "}");
            }
        }

        @Override
        void delta(JsonValue event) {
            refused |= event.at("type").text().contains("refusal");
            text.delta(event.at("content_index").asLong(), event.at("delta").text());
        }

        @Override
        void part(JsonValue event) {
            refused |= event.at("type").text().contains("refusal");
            String whole = event.at("text").textOr(event.at("refusal").text());
            text.complete(event.at("content_index").asLong(), whole);
        }

        @Override
        void take(JsonValue item) {
            phase(item);
            for (JsonValue part : item.at("content").items()) {
                refused |= part.at("type").text().equals("refusal");
            }
            String whole = String.join("", texts(item.at("content")));
            if (!whole.isEmpty()) { // some servers tell only that it is over
                passage.correct(whole);
            }
            passage.end("");
        }

        @Override
        boolean isRefusal() {
            return refused;
        }
    }

    private static final class Call extends ResponsesItem {
        private final ReplyBuilder.Call call;
        private final PartText arguments;

        Call(ReplyBuilder reply) {
            super(CALL);
            call = reply.call();
            arguments = new PartText(call::arguments, "");
        }

        @Override
        void begin(JsonValue item) {
            super.begin(item);
            name(item);
        }

        @Override
        void delta(JsonValue event) {
            arguments.delta(0, event.at("delta").text());
        }

        @Override
        void part(JsonValue event) {
            arguments.complete(0, text(event.at("arguments")));
        }

        @Override
        void take(JsonValue item) {
            name(item);
            call.id(item.at("id").text()); // better than none
            String whole = text(item.at("arguments"));
            if (!whole.isEmpty()) {
                call.correct(whole);
            }
        }

        private void name(JsonValue item) {
            call.id(item.at("call_id").text());
            if (!call.hasName()) {
                call.name(item.at("name").text());
            }
        }

        private static String text(JsonValue arguments) {
            return arguments.isObject() ? Json.text(arguments::writeTo) : arguments.text();
        }
    }

    /** A summary, or the thoughts themselves where the provider shows them. */
    private static final class Reasoning extends ResponsesItem {
        private static final String PARAGRAPH = "\n\n";

        private final ReplyBuilder.Passage thought;
        private final PartText summary;
        private final PartText content;

        Reasoning(ReplyBuilder reply) {
            super(REASONING);
            thought = reply.thought();
            summary = new PartText(thought::text, PARAGRAPH);
            content = new PartText(thought::text, PARAGRAPH);
        }

        @Override
        void delta(JsonValue event) {
            parts(event).delta(index(event), event.at("delta").text());
        }

        @Override
        void part(JsonValue event) {
            parts(event).complete(index(event), event.at("text").text());
        }

        @Override
        void take(JsonValue item) {
            complete(summary, texts(item.at("summary")));
            complete(content, texts(item.at("content")));
            thought.end(goesBack(item) ? verbatim(item) : "");
        }

        private static void complete(PartText parts, List<String> texts) {
            for (int i = 0; i < texts.size(); i++) {
                parts.complete(i, texts.get(i));
            }
        }

        private PartText parts(JsonValue event) {
            return event.at("type").text().contains("summary") ? summary : content;
        }

        /** An event has one of the two. */
        private static long index(JsonValue event) {
            return event.at("summary_index").asLong() + event.at("content_index").asLong();
        }

        /**
         * As nothing is stored, a server that finds neither the thoughts nor their encrypted form
         * would look for the item in vain and refuse the request.
         */
        private static boolean goesBack(JsonValue item) {
            return !item.at("encrypted_content").text().isEmpty()
                    || !item.at("content").items().isEmpty();
        }
    }

    /** What the provider has made of all that was said before; only it can read it. */
    private static final class Compaction extends ResponsesItem {
        private final ReplyBuilder reply;
        private final ReplyBuilder.Passage summary;

        Compaction(ReplyBuilder reply) {
            super(COMPACTION);
            this.reply = reply;
            summary = reply.thought();
        }

        @Override
        void delta(JsonValue event) {}

        @Override
        void part(JsonValue event) {}

        @Override
        void take(JsonValue item) {
            if (!item.at("encrypted_content").text().isEmpty()) {
                summary.end(verbatim(item));
                reply.compacted();
            }
        }
    }
}
