package dev.agentloop.llm.openai;

import com.openai.core.ObjectMappers;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.agentloop.llm.SdkContract;
import java.io.IOException;

final class ChatSdkTest extends SdkContract {
    ChatSdkTest() {
        super(new ChatSubject());
    }

    @Override
    protected String knownModel() {
        return "gpt-5";
    }

    @Override
    protected Object parsed(String request) throws IOException {
        return ObjectMappers.jsonMapper()
                .readValue(request, ChatCompletionCreateParams.Body.class)
                .validate();
    }
}
