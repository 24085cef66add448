package dev.agentloop.llm.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProviderEndpointTest {
    @ParameterizedTest(name = "{0} for Chat Completions")
    @CsvSource({
        "http://h:1/v1, http://h:1/v1/chat/completions",
        "http://h:1/v1/, http://h:1/v1/chat/completions",
        "https://h, https://h/chat/completions",
        "https://h/v1/chat/completions, https://h/v1/chat/completions",
        "https://h/v1/chat/completions/, https://h/v1/chat/completions",
        "https://h/x?api-version=1, https://h/x/chat/completions?api-version=1",
    })
    void chat(String base, String url) {
        assertEquals(url, at(base).url("", "/chat/completions"));
    }

    @ParameterizedTest(name = "{0} for Messages")
    @CsvSource({
        "http://h:1, http://h:1/v1/messages",
        "http://h:1/, http://h:1/v1/messages",
        "http://h:1/v1, http://h:1/v1/messages",
        "http://h:1/v1/, http://h:1/v1/messages",
        "http://h:1/v1/messages, http://h:1/v1/messages",
        "https://h/anthropic, https://h/anthropic/v1/messages",
        "https://h/v2beta/?x=1, https://h/v2beta/messages?x=1",
        "https://h/v3alpha, https://h/v3alpha/messages",
        "https://h/v1beta1, https://h/v1beta1/messages",
        "https://h/vendor, https://h/vendor/v1/messages",
        "https://h/teams/v2proxy, https://h/teams/v2proxy/v1/messages",
        "https://h/v2/team, https://h/v2/team/v1/messages",
    })
    void messages(String base, String url) {
        assertEquals(url, at(base).url("/v1", "/messages"));
    }

    @Test
    void theKeyMovesToTheHeaderThatTheProviderWants() {
        Map<String, String> ofProtocol = Map.of("Authorization", "Bearer k-1", "version", "2");

        assertEquals(ofProtocol, keyIn("").headers(ofProtocol));
        assertEquals(
                Map.of("api-key", "k-1", "version", "2"), keyIn("api-key").headers(ofProtocol));
        assertEquals(
                Map.of("Authorization", "Bearer k-1"),
                keyIn("Authorization").headers(Map.of("x-api-key", "k-1")));
        assertEquals(
                Map.of(),
                new ProviderEndpoint("p", "http://h", null, "", Map.of(), "api-key")
                        .headers(Map.of()));
    }

    private static ProviderEndpoint keyIn(String header) {
        return new ProviderEndpoint("p", "http://h", "k-1", "K", Map.of(), header);
    }

    private static ProviderEndpoint at(String base) {
        return new ProviderEndpoint("p", base, null, "", Map.of());
    }
}
