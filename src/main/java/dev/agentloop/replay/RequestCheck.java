package dev.agentloop.replay;

import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.message.Message;
import dev.agentloop.replay.cassette.CassetteLine;
import dev.agentloop.replay.cassette.Difference;
import dev.agentloop.replay.cassette.RecordWriter;
import dev.agentloop.tool.ToolSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Compares the requests of a run with the recorded ones, one after the other. Of a history only
 * what is new on one of the two sides is looked at: the rest was compared before.
 */
final class RequestCheck {
    private final UnaryOperator<String> recorded;
    private final UnaryOperator<String> now;
    private final RecordWriter form;
    private final RecordWriter plain = new RecordWriter(UnaryOperator.identity());
    private final Map<String, ToolSpec> offered = new HashMap<>();
    private final List<Message> expected = new ArrayList<>();
    private List<Message> last = List.of();

    /**
     * @param mask as it was applied to what was recorded
     * @param recorded takes out of a recorded text what may differ
     * @param now the same for texts of this run
     */
    RequestCheck(
            UnaryOperator<String> mask, UnaryOperator<String> recorded, UnaryOperator<String> now) {
        this.form = new RecordWriter(mask);
        this.recorded = recorded;
        this.now = now;
    }

    /** Tools that recorded requests name from here on. */
    void offered(List<ToolSpec> tools) {
        tools.forEach(tool -> offered.put(tool.name(), tool));
    }

    /** The first field in which the request is not the recorded one. */
    Optional<Difference> check(CassetteLine.Requested wanted, LlmRequest request, String model) {
        CassetteLine.Requested asked = Requests.line(wanted.step(), model, request, last);
        last = List.copyOf(request.messages());
        if (wanted.kept() > expected.size() || wanted.kept() < 0) {
            return Optional.of(
                    new Difference("kept", "at most " + expected.size(), "" + wanted.kept()));
        }
        expected.subList(wanted.kept(), expected.size()).clear();
        expected.addAll(wanted.messages());
        int from = Math.min(wanted.kept(), asked.kept());
        return ofMessages(from, request.messages())
                .or(() -> rest(wanted, asked))
                .or(() -> ofTools(wanted.tools(), request.tools()));
    }

    private Optional<Difference> ofMessages(int from, List<Message> actual) {
        for (int i = from; i < Math.max(expected.size(), actual.size()); i++) {
            String at = "messages[" + i + "]";
            if (i >= expected.size()) {
                return Optional.of(new Difference(at, "nothing", shown(actual.get(i))));
            }
            if (i >= actual.size()) {
                return Optional.of(new Difference(at, shown(expected.get(i)), "nothing"));
            }
            Optional<Difference> found =
                    Difference.first(
                            UnstableText.all(plain.tree(Message.class, expected.get(i)), recorded),
                            UnstableText.all(form.tree(Message.class, actual.get(i)), now),
                            at,
                            Set.of());
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** All but the messages, which say where they begin and no more. */
    private Optional<Difference> rest(CassetteLine.Requested wanted, CassetteLine.Requested asked) {
        return Difference.first(
                plain.tree(CassetteLine.class, wanted),
                form.tree(CassetteLine.class, asked),
                "",
                Set.of("kept", "messages", "step", "type"));
    }

    private Optional<Difference> ofTools(List<String> wanted, List<ToolSpec> actual) {
        for (int i = 0; i < wanted.size(); i++) {
            ToolSpec recordedSpec = offered.get(wanted.get(i));
            Optional<Difference> found =
                    recordedSpec == null
                            ? Optional.empty()
                            : Difference.first(
                                    tree(plain, recordedSpec, recorded),
                                    tree(form, actual.get(i), now),
                                    "tools." + wanted.get(i),
                                    Set.of());
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static JsonValue tree(RecordWriter form, ToolSpec spec, UnaryOperator<String> change) {
        return UnstableText.all(form.tree(ToolSpec.class, spec), change);
    }

    private static String shown(Message message) {
        return Difference.shortened(
                switch (message) {
                    case Message.System(String text) -> "system: " + text;
                    case Message.User(String text, _) -> "user: " + text;
                    case Message.Assistant said -> "assistant: " + said.text();
                    case Message.Tool(String id, var result) ->
                            "result of " + id + ": " + result.text();
                });
    }
}
