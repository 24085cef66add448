package dev.agentloop.llm.anthropic;

import com.anthropic.core.ObjectMappers;
import com.anthropic.models.messages.MessageCreateParams;
import dev.agentloop.llm.SdkContract;
import java.io.IOException;

final class AnthropicSdkTest extends SdkContract {
    AnthropicSdkTest() {
        super(new AnthropicSubject());
    }

    @Override
    protected String knownModel() {
        return "claude-sonnet-4-5";
    }

    @Override
    protected Object parsed(String request) throws IOException {
        return ObjectMappers.jsonMapper()
                .readValue(request, MessageCreateParams.Body.class)
                .validate();
    }
}
