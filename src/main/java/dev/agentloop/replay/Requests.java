package dev.agentloop.replay;

import dev.agentloop.llm.Effort;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.message.Message;
import dev.agentloop.replay.cassette.CassetteLine;
import dev.agentloop.tool.ToolSpec;
import java.util.List;
import java.util.Locale;

/** Requests as lines of a cassette: each says what is new since the one before. */
final class Requests {
    private Requests() {}

    static CassetteLine.Requested line(
            int step, String model, LlmRequest request, List<Message> before) {
        List<Message> messages = request.messages();
        int kept = kept(messages, before);
        Effort effort = request.generation().effort();
        return new CassetteLine.Requested(
                step,
                model,
                kept,
                messages.subList(kept, messages.size()),
                request.tools().stream().map(ToolSpec::name).toList(),
                request.mayCallTools(),
                effort == null ? null : effort.name().toLowerCase(Locale.ROOT),
                request.generation().temperature(),
                request.generation().answerSchema());
    }

    private static int kept(List<Message> messages, List<Message> before) {
        int kept = 0;
        int most = Math.min(messages.size(), before.size());
        while (kept < most && messages.get(kept).equals(before.get(kept))) {
            kept++;
        }
        return kept;
    }
}
