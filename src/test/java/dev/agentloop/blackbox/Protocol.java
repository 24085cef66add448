package dev.agentloop.blackbox;

/** What a model server speaks, as the configuration names it, and how that looks. */
public enum Protocol {
    CHAT("openai-chat", "/v1", "authorization", new ChatForm()),
    RESPONSES("openai-responses", "/v1", "authorization", new ResponsesForm()),
    MESSAGES("anthropic", "", "x-api-key", new MessagesForm()),
    GEMINI("gemini", "/v1beta", "x-goog-api-key", new GeminiForm());

    final String configName;
    final String basePath;
    final String keyHeader;
    final WireForm form;

    Protocol(String configName, String basePath, String keyHeader, WireForm form) {
        this.configName = configName;
        this.basePath = basePath;
        this.keyHeader = keyHeader;
        this.form = form;
    }
}
