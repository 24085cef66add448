package dev.agentloop.llm.provider;

import dev.agentloop.json.Json;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.message.Message;
import dev.agentloop.tool.ToolSpec;
import java.util.Arrays;

/** How one protocol writes a request: a head, the messages, a tail. */
public interface Dialect {
    /** An empty piece: the message has no place among the messages of this protocol. */
    byte[] NOTHING = {};

    /**
     * What stands around the pieces of one wire message. Neighbours with the same frame object
     * share one wire message if it joins.
     */
    record Frame(String open, String between, String close, boolean joins) {
        /** For pieces that are wire messages of their own. */
        public static final Frame NONE = new Frame("", "", "", false);
    }

    /**
     * The beginning of an object, up to and with the opening bracket of its last member, a list.
     */
    static byte[] open(Json.Writing members, String list) {
        byte[] object =
                Json.bytes(json -> {
                    json.writeStartObject();
                    members.to(json);
                    json.writeArrayFieldStart(list);
                    json.writeEndArray();
                    json.writeEndObject();
                });
        return Arrays.copyOf(object, object.length - "]}".length());
    }

    /** Elements of a list, without its brackets. */
    static byte[] elements(Json.Writing elements) {
        byte[] array =
                Json.bytes(json -> {
                    json.writeStartArray();
                    elements.to(json);
                    json.writeEndArray();
                });
        return Arrays.copyOfRange(array, 1, array.length - 1);
    }

    /**
     * The members that declare a tool.
     *
     * @param schema the protocol's word for the schema of the arguments
     */
    static Json.Writing declaration(ToolSpec tool, String schema) {
        return json -> {
            json.writeStringField("name", tool.name());
            json.writeStringField("description", tool.description());
            json.writeFieldName(schema);
            json.writeRawValue(tool.parameters());
        };
    }

    /** Everything that stays the same from step to step, up to and with the opening bracket. */
    byte[] head(LlmRequest request);

    /** What differs between requests, from the closing bracket to the end. */
    byte[] tail(LlmRequest request);

    /** Whether the first message, if it is a system message, stands in the head. */
    boolean systemInHead();

    Frame frame(Message message);

    /** A message without its frame. Must depend on nothing but the message. */
    byte[] piece(Message message);

    /**
     * Whether a result carries its own images; if not, they follow the results of their step as a
     * message of the user.
     */
    default boolean resultsCarryImages() {
        return true;
    }

    /** Bytes put before the last byte of the piece that ends a cacheable prefix; may be empty. */
    default byte[] cacheMark() {
        return NOTHING;
    }

    /** Whether a cache mark may stand in the last piece of this message. */
    default boolean takesCacheMark(Message message) {
        return false;
    }
}
