package dev.agentloop.llm;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static com.github.tomakehurst.wiremock.stubbing.Scenario.STARTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.agentloop.llm.decorator.RetryingLlm;
import dev.agentloop.llm.http.HttpLimits;
import dev.agentloop.testing.FakeTime;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every adapter sends when it is asked once more, to a server that goes through states. */
@Timeout(60)
public abstract class RetryContract extends AdapterFixture {
    private static final String WELL = "well";

    private final WireMockServer server =
            new WireMockServer(options().bindAddress("127.0.0.1").dynamicPort());

    protected RetryContract(Subject subject) {
        super(subject);
    }

    @BeforeEach
    void startServer() {
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop();
    }

    @Test
    void afterABusyServerTheSameRequestIsSentAgain() {
        ill(aResponse().withStatus(503).withBody("busy"));

        assertEquals("Hello.", ask(retrying()).message().text());
        assertEquals(1, heard.retries.size());
        assertSameRequests(2);
    }

    @Test
    void aConnectionThatIsResetIsTriedAgainWithTheSameRequest() {
        ill(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER));

        assertEquals("Hello.", ask(retrying()).message().text());
        assertSameRequests(2);
    }

    @Test
    void garbageInsteadOfAnAnswerIsTriedAgain() {
        ill(aResponse().withFault(Fault.RANDOM_DATA_THEN_CLOSE));

        assertEquals("Hello.", ask(retrying()).message().text());
        assertSameRequests(2);
    }

    @Test
    void aReplyThatDribblesInIsOneReplyToOneRequest() {
        server.stubFor(any(anyUrl()).willReturn(stream().withChunkedDribbleDelay(40, 400)));

        assertEquals("Hello.", ask(retrying()).message().text());
        assertSameRequests(1);
    }

    /** The first request meets trouble, all others a good answer. */
    private void ill(ResponseDefinitionBuilder trouble) {
        server.stubFor(
                any(anyUrl())
                        .inScenario("health")
                        .whenScenarioStateIs(STARTED)
                        .willSetStateTo(WELL)
                        .willReturn(trouble));
        server.stubFor(
                any(anyUrl()).inScenario("health").whenScenarioStateIs(WELL).willReturn(stream()));
    }

    private ResponseDefinitionBuilder stream() {
        return aResponse().withHeader("Content-Type", "text/event-stream").withBody(said("Hello."));
    }

    private LlmAdapter retrying() {
        FakeTime time = FakeTime.auto();
        return new RetryingLlm(
                at(server.baseUrl(), HttpLimits.DEFAULT),
                time,
                RetryingLlm.DEFAULT_RETRIES,
                () -> 0.5);
    }

    private void assertSameRequests(int count) {
        List<LoggedRequest> requests = server.findAll(anyRequestedFor(anyUrl()));
        assertEquals(count, requests.size());
        for (LoggedRequest request : requests) {
            assertEquals(requests.getFirst().getUrl(), request.getUrl());
            assertEquals(requests.getFirst().getBodyAsString(), request.getBodyAsString());
            assertTrue(request.getHeaders().toString().contains(KEY), "the key goes with each");
        }
    }
}
