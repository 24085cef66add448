package dev.agentloop.llm.anthropic;

import com.anthropic.core.ObjectMappers;
import com.anthropic.models.messages.MessageCreateParams;
import dev.agentloop.llm.AdditionalFields;
import dev.agentloop.llm.SdkContract;
import java.io.IOException;
import java.util.List;

final class AnthropicSdkTest extends SdkContract {
    AnthropicSdkTest() {
        super(new AnthropicSubject());
    }

    @Override
    protected String knownModel() {
        return "claude-sonnet-4-5";
    }

    @Override
    protected List<String> unknown(String request) throws IOException {
        List<String> unknown =
                AdditionalFields.in(
                        ObjectMappers.jsonMapper()
                                .readValue(request, MessageCreateParams.Body.class)
                                .validate());
        unknown.remove("Body.temperature"); // gone in version 2026-10-21; we send 2023-06-01
        return unknown;
    }
}
