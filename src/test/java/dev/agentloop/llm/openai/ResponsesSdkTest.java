package dev.agentloop.llm.openai;

import com.openai.core.ObjectMappers;
import com.openai.models.responses.ResponseCreateParams;
import dev.agentloop.llm.SdkContract;
import java.io.IOException;

final class ResponsesSdkTest extends SdkContract {
    ResponsesSdkTest() {
        super(new ResponsesSubject());
    }

    @Override
    protected String knownModel() {
        return "gpt-5";
    }

    @Override
    protected String listOfMessages() {
        return "input";
    }

    @Override
    protected Object parsed(String request) throws IOException {
        return ObjectMappers.jsonMapper()
                .readValue(request, ResponseCreateParams.Body.class)
                .validate();
    }
}
