package dev.agentloop.output;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.event.AgentEvent;
import java.io.IOException;

/** The public JSON shapes of events about model calls. */
final class ModelEventJson {
    private ModelEventJson() {}

    static void write(JsonGenerator json, AgentEvent event) throws IOException {
        switch (event) {
            case AgentEvent.LlmRequested asked -> {
                json.writeNumberField("step", asked.step());
                json.writeNumberField("messages", asked.messages());
                json.writeBooleanField("closing", asked.closing());
            }
            case AgentEvent.LlmRetried retry -> {
                json.writeNumberField("attempt", retry.attempt());
                json.writeNumberField("delay_ms", retry.delay().toMillis());
                EventJson.text(json, "code", retry.code());
                EventJson.text(json, "message", retry.message());
                json.writeBooleanField("text_withdrawn", retry.textWithdrawn());
            }
            case AgentEvent.LlmResponded reply -> responded(json, reply);
            case AgentEvent.UsageReported usage -> {
                EventJson.text(json, "source", usage.source());
                ResultJson.writeUsage(json, usage.usage());
                ResultJson.writeDecimal(json, "usd", usage.usd());
            }
            case AgentEvent.BudgetUpdated budget -> {
                ResultJson.writeDecimal(json, "usd", budget.usd());
                ResultJson.writeDecimal(json, "cap_usd", budget.capUsd());
            }
            default -> throw new IllegalStateException("not about the model: " + event);
        }
    }

    private static void responded(JsonGenerator json, AgentEvent.LlmResponded reply)
            throws IOException {
        json.writeNumberField("step", reply.step());
        EventJson.text(json, "text", reply.text());
        json.writeNumberField("tool_calls", reply.toolCalls());
        EventJson.text(json, "finish", reply.finish());
        EventJson.millis(json, reply.took());
        if (reply.error() != null) {
            EventJson.text(json, "error", reply.error());
        }
    }
}
