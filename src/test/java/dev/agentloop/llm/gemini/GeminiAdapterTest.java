package dev.agentloop.llm.gemini;

import dev.agentloop.llm.CallContract;
import dev.agentloop.llm.LlmAdapterContract;
import dev.agentloop.llm.NetworkContract;
import dev.agentloop.llm.RetryContract;
import dev.agentloop.llm.StatusContract;
import dev.agentloop.llm.StreamContract;
import org.junit.jupiter.api.Nested;

/** The contract of {@code LlmAdapter}, in its parts. */
final class GeminiAdapterTest {
    @Nested
    final class Answers extends LlmAdapterContract {
        Answers() {
            super(new GeminiSubject());
        }
    }

    @Nested
    final class Calls extends CallContract {
        Calls() {
            super(new GeminiSubject());
        }
    }

    @Nested
    final class Streams extends StreamContract {
        Streams() {
            super(new GeminiSubject());
        }
    }

    @Nested
    final class Statuses extends StatusContract {
        Statuses() {
            super(new GeminiSubject());
        }
    }

    @Nested
    final class Network extends NetworkContract {
        Network() {
            super(new GeminiSubject());
        }
    }

    @Nested
    final class Retries extends RetryContract {
        Retries() {
            super(new GeminiSubject());
        }
    }
}
