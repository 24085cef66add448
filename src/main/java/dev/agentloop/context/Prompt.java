package dev.agentloop.context;

import dev.agentloop.message.Message;
import java.util.List;

/**
 * What the next request would send.
 *
 * @param besides tokens of what goes with the history, such as the declared tools, by the estimate
 * @param model {@code provider/model} that would read it
 */
public record Prompt(List<Message> history, long besides, String model) {}
