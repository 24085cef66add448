package dev.agentloop.output;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.event.AgentEvent;
import java.io.IOException;

/** Events of agents that work for another one. */
final class SubagentEventJson {
    private SubagentEventJson() {}

    static void write(JsonGenerator json, AgentEvent event) throws IOException {
        switch (event) {
            case AgentEvent.SubagentStarted begun -> {
                who(json, begun.callId(), begun.agent(), begun.depth());
                EventJson.text(json, "task", begun.task());
                json.writeArrayFieldStart("tools");
                for (String tool : begun.tools()) {
                    json.writeString(tool);
                }
                json.writeEndArray();
            }
            case AgentEvent.SubagentDid did -> {
                who(json, did.callId(), did.agent(), did.depth());
                json.writeObjectFieldStart("event");
                json.writeStringField("type", EventJson.type(did.event()));
                EventJson.writeFields(json, did.event());
                json.writeEndObject();
            }
            case AgentEvent.SubagentFinished end -> finished(json, end);
            default -> throw new IllegalStateException("not of a sub-agent: " + event);
        }
    }

    private static void finished(JsonGenerator json, AgentEvent.SubagentFinished end)
            throws IOException {
        who(json, end.callId(), end.agent(), end.depth());
        EventJson.text(json, "status", end.status());
        EventJson.text(json, "stop_reason", end.stopReason());
        json.writeNumberField("steps", end.steps());
        json.writeNumberField("tokens", end.tokens());
        if (end.usd() == null) {
            json.writeNullField("usd");
        } else {
            json.writeNumberField("usd", end.usd().stripTrailingZeros());
        }
        EventJson.millis(json, end.took());
    }

    private static void who(JsonGenerator json, String callId, String agent, int depth)
            throws IOException {
        EventJson.text(json, "tool_call_id", callId);
        EventJson.text(json, "agent", agent);
        json.writeNumberField("depth", depth);
    }
}
