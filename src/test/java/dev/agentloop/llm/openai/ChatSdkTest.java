package dev.agentloop.llm.openai;

import com.openai.core.ObjectMappers;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.agentloop.llm.AdditionalFields;
import dev.agentloop.llm.SdkContract;
import java.io.IOException;
import java.util.List;

final class ChatSdkTest extends SdkContract {
    ChatSdkTest() {
        super(new ChatSubject());
    }

    @Override
    protected String knownModel() {
        return "gpt-5";
    }

    @Override
    protected List<String> unknown(String request) throws IOException {
        return AdditionalFields.in(
                ObjectMappers.jsonMapper()
                        .readValue(request, ChatCompletionCreateParams.Body.class)
                        .validate());
    }
}
