package dev.agentloop.llm.openai;

import com.openai.core.ObjectMappers;
import com.openai.models.responses.ResponseCreateParams;
import dev.agentloop.llm.AdditionalFields;
import dev.agentloop.llm.SdkContract;
import java.io.IOException;
import java.util.List;

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
    protected List<String> unknown(String request) throws IOException {
        return AdditionalFields.in(
                ObjectMappers.jsonMapper()
                        .readValue(request, ResponseCreateParams.Body.class)
                        .validate());
    }
}
