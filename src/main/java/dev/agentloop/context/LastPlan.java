package dev.agentloop.context;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import java.util.List;
import java.util.Optional;

/** The plan that the model wrote last, with the tool for it. */
public final class LastPlan {
    /** Name of the tool. */
    public static final String TOOL = "todo_write";

    private LastPlan() {}

    /** One line for each thing to do; empty if the history has no plan. */
    public static Optional<String> in(List<Message> history) {
        for (Message message : history.reversed()) {
            if (message instanceof Message.Assistant said) {
                for (ToolCall call : said.toolCalls().reversed()) {
                    Optional<String> plan =
                            call.name().equals(TOOL) ? lines(call) : Optional.empty();
                    if (plan.isPresent()) {
                        return plan;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> lines(ToolCall call) {
        try {
            StringBuilder lines = new StringBuilder();
            for (JsonValue todo : Json.parse(call.arguments()).at("todos").items()) {
                String content = todo.at("content").text();
                lines.append(content.isBlank() ? "" : "- " + todo.at("status").text());
                lines.append(content.isBlank() ? "" : ": " + content.strip() + "\n");
            }
            return lines.isEmpty() ? Optional.empty() : Optional.of(lines.toString().strip());
        } catch (JsonException e) {
            return Optional.empty(); // a call that was cut or never ran
        }
    }
}
