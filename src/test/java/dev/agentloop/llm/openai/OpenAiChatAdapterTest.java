package dev.agentloop.llm.openai;

import dev.agentloop.llm.CallContract;
import dev.agentloop.llm.LlmAdapterContract;
import dev.agentloop.llm.NetworkContract;
import dev.agentloop.llm.RetryContract;
import dev.agentloop.llm.StatusContract;
import dev.agentloop.llm.StreamContract;
import org.junit.jupiter.api.Nested;

/** The contract of {@code LlmAdapter}, in its parts. */
final class OpenAiChatAdapterTest {
    @Nested
    final class Answers extends LlmAdapterContract {
        Answers() {
            super(new ChatSubject());
        }
    }

    @Nested
    final class Calls extends CallContract {
        Calls() {
            super(new ChatSubject());
        }
    }

    @Nested
    final class Streams extends StreamContract {
        Streams() {
            super(new ChatSubject());
        }
    }

    @Nested
    final class Statuses extends StatusContract {
        Statuses() {
            super(new ChatSubject());
        }
    }

    @Nested
    final class Network extends NetworkContract {
        Network() {
            super(new ChatSubject());
        }
    }

    @Nested
    final class Retries extends RetryContract {
        Retries() {
            super(new ChatSubject());
        }
    }
}
