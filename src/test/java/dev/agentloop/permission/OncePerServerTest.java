package dev.agentloop.permission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.http.TrustedCas;
import dev.agentloop.message.ToolCall;
import dev.agentloop.tool.call.PreparedCall;
import dev.agentloop.web.WebFetchTool;
import dev.agentloop.web.WebLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class OncePerServerTest {
    private final List<String> asked = new ArrayList<>();
    private Approver.Answer answer = new Approver.Answer.Yes();
    private final OncePerServer approver =
            new OncePerServer((ready, _, _) -> {
                asked.add(ready.subject());
                return answer;
            });

    @Test
    @Tag("P12")
    @DisplayName("a server is asked about once, another server and another port again")
    void once() {
        ask("https://a.example/1", "P12");
        ask("https://a.example/2", "P12");
        ask("https://b.example/", "P12");
        ask("https://a.example:8443/", "P12");

        assertEquals(
                List.of("https://a.example/1", "https://b.example/", "https://a.example:8443/"),
                asked);
    }

    @Test
    @DisplayName("a no is no answer for later; a rule that asks and confirm-all ask each time")
    void everyTime() {
        answer = new Approver.Answer.No("no");
        ask("https://a.example/", "P12");
        answer = new Approver.Answer.Yes();
        ask("https://a.example/", "confirm-all");
        ask("https://a.example/", "web_fetch(a.example)");
        ask("https://a.example/", "P12");

        assertEquals(4, asked.size());
    }

    private void ask(String url, String rule) {
        WebFetchTool tool =
                new WebFetchTool(
                        WebLimits.ofPage(8_000), Map.of(), () -> TrustedCas.SYSTEM, List.of());
        ToolCall call = new ToolCall("1", "web_fetch", "{}");
        WebFetchTool.Args arguments = new WebFetchTool.Args(url, null);
        PreparedCall.Ready<WebFetchTool.Args> ready =
                new PreparedCall.Ready<>(call, tool, arguments, tool.subject(arguments), List.of());
        approver.ask(ready, new Decision(Verdict.ASK, rule, ""), new Cancellation());
    }
}
